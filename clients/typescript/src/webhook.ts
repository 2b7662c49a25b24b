import type { Job } from "./types.js";

export interface WebhookSettings {
  /** Maximum age of a notification in seconds, and how far it may be in the future (default 300). */
  tolerance?: number;
}

/**
 * Return the job in a notification, after checking the notification's signature and age.
 *
 * Throws an Error if one of them is wrong. The signature is that of Standard Webhooks: `body` must
 * be the exact bytes or text of the request. Use the header `webhook-id` to ignore duplicates.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  { tolerance = 300 }: WebhookSettings = {},
): Promise<Job> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance)) {
    throw new Error("the notification is too old, or the clocks differ");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const key = await crypto.subtle.importKey(
    "raw",
    keyOf(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of header(headers, "webhook-signature").split(" ")) {
    const [version, encoded] = signature.split(",");
    if (version === "v1" && encoded) {
      if (await crypto.subtle.verify("HMAC", key, bytesOf(encoded), signed)) {
        return JSON.parse(text) as Job;
      }
    }
  }
  throw new Error("the notification's signature is wrong");
}

/** Return the bytes of a secret. Throws a TypeError unless there are 24 to 64 of them. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesOf(secret.replace(/^whsec_/, ""));
  if (key.length < 24 || key.length > 64) {
    throw new TypeError("the secret must be whsec_ and 24 to 64 random bytes in Base64");
  }
  return key;
}

function header(
  headers: Headers | Record<string, string | string[] | undefined>,
  name: string,
): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string") {
    throw new Error(`the notification has no header ${name}`);
  }
  return value;
}

/** Return the bytes of base64 text. Malformed text has no bytes, and so no signature matches it. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
