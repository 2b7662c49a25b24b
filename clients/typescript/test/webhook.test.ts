// Runs against the service at SUDOKUQ_URL, which must allow webhooks to 127.0.0.1 on all ports.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Client, verifyWebhook, type Job } from "../src/index.js";

const SECRET = `whsec_${Buffer.from("a secret of 24 bytes or more").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another secret of 24 bytes").toString("base64")}`;

function notification(body: string, timestamp = Math.floor(Date.now() / 1000)) {
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`msg_1.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${Buffer.from("another").toString("base64")} v1,${signature}`,
  };
}

test("a notification with a valid signature is accepted", async () => {
  const body = '{"id":"x","name":"é"}';
  const headers = notification(body);
  assert.equal((await verifyWebhook(SECRET, headers, body)).id, "x");
  assert.equal((await verifyWebhook(SECRET, new Headers(headers), Buffer.from(body))).id, "x");
});

test("forged, old, and incomplete notifications are rejected", async () => {
  const old = Math.floor(Date.now() / 1000) - 301;
  await assert.rejects(verifyWebhook(SECRET, notification("{}"), "{} "), /signature/);
  await assert.rejects(verifyWebhook(OTHER, notification("{}"), "{}"), /signature/);
  await assert.rejects(verifyWebhook(SECRET, notification("{}", old), "{}"), /too old/);
  await assert.rejects(verifyWebhook(SECRET, {}, "{}"), /no header webhook-id/);
  await assert.rejects(verifyWebhook("whsec_c2VjcmV0", notification("{}"), "{}"), TypeError);
});

/** Receive notifications until the end of `use`, whose argument is the URL to send them to. */
async function receiving(
  use: (url: string, received: Received[]) => Promise<void>,
): Promise<void> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received);
  } finally {
    server.close();
  }
}

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

test("a job is notified when it ends, tested, and delivered again", async () => {
  await receiving(async (webhook, received) => {
    const client = new Client(process.env["SUDOKUQ_URL"] ?? "http://127.0.0.1:8000");
    const { id } = await client.submit(["12.4...2....4..1"], { webhook, webhook_secret: SECRET });
    await until(() => received.length === 1);
    const tested = await client.testWebhook(id);
    assert.equal(tested.webhook?.last_test?.error, null);
    await client.redeliverWebhook(id);
    await until(() => received.length === 3);
    const jobs: Job[] = [];
    for (const { headers, body } of received) {
      jobs.push(await verifyWebhook(SECRET, headers, body));
    }
    assert.deepEqual(jobs.map((job) => [job.id, job.state]), Array(3).fill([id, "finished"]));
    const [first, test, again] = received.map(({ headers }) => headers["webhook-id"]);
    assert.equal(first, again);
    assert(String(test).startsWith("test_"));
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
