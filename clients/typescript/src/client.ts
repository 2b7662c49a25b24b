import { Failure } from "./failure.js";
import { lines } from "./lines.js";
import type {
  GenerationRequest,
  Job,
  Options,
  Puzzle,
  PuzzleInput,
  Report,
  Row,
  Where,
} from "./types.js";

const FINAL: readonly Job["state"][] = ["finished", "cancelled", "failed"];
const RETRIED = [429, 502, 503, 504];
/** The first request with the same Idempotency-Key may still be in progress. */
const IN_PROGRESS = 409;
/** Maximum number of seconds for which the service holds a request until the job changes. */
const LONG_POLL = 20;
const SHORTEST_PAUSE = 0.5;
const LONGEST_PAUSE = 5;

export interface ClientSettings {
  /** The API key, if the service requires one. */
  apiKey?: string;
  /** Seconds for which failed requests are retried while the service is unavailable (default 60). */
  patience?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export interface SubmitSettings extends Options {
  /** Sending the same key again returns the same job. By default, each call has its own key. */
  idempotencyKey?: string;
}

export interface ResultFilter extends Where {
  /** The order: "rating", "sudokuq_rating", or "steps", or with a minus sign (highest first). */
  sort?: string;
  /** How many results to skip. */
  offset?: number;
  /** The maximum number of results. */
  count?: number;
  /** Whether to return the results so far if the job hasn't ended. */
  partial?: boolean;
}

/**
 * Sends requests to a service. Every method may throw `Failure`.
 *
 * Requests are retried while the service is busy or unreachable, honoring Retry-After.
 */
export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #patience: number;
  readonly #fetch: typeof fetch;

  constructor(url: string, settings: ClientSettings = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#headers = settings.apiKey ? { Authorization: `Bearer ${settings.apiKey}` } : {};
    this.#patience = settings.patience ?? 60;
    this.#fetch = settings.fetch ?? ((...request) => fetch(...request));
  }

  /**
   * Upload puzzles, and return the new job.
   *
   * Puzzles are a list, or the text or bytes of a file in any format that the service supports.
   */
  async submit(
    puzzles: readonly PuzzleInput[] | string | Blob | Uint8Array<ArrayBuffer>,
    { idempotencyKey = crypto.randomUUID(), ...options }: SubmitSettings = {},
  ): Promise<Job> {
    const headers = { "Idempotency-Key": idempotencyKey };
    const retried = [...RETRIED, IN_PROGRESS];
    if (Array.isArray(puzzles)) {
      return this.#json("POST", "/jobs", { headers, json: { puzzles, options }, retried });
    }
    return this.#json("POST", `/jobs${query(options)}`, {
      headers: { ...headers, "Content-Type": "application/octet-stream" },
      body: puzzles as string | Blob | Uint8Array<ArrayBuffer>,
      retried,
    });
  }

  /**
   * Solve puzzles of an ended job again, as a new job, and return the new job.
   *
   * `where` selects the puzzles, by default all. `settings` has the options that differ from those
   * of the other job.
   */
  runAgain(
    id: string,
    where: Where = {},
    { idempotencyKey = crypto.randomUUID(), ...options }: SubmitSettings = {},
  ): Promise<Job> {
    return this.#json("POST", "/jobs", {
      headers: { "Idempotency-Key": idempotencyKey },
      json: { from_job: id, where, options },
    });
  }

  /** Make puzzles as a new job, and return the job. */
  generate(
    request: GenerationRequest,
    { idempotencyKey = crypto.randomUUID(), ...options }: SubmitSettings = {},
  ): Promise<Job> {
    return this.#json("POST", "/generate", {
      headers: { "Idempotency-Key": idempotencyKey },
      json: { ...request, options },
    });
  }

  /** Return a job: immediately, or when it changes, but after `wait` seconds at the latest. */
  job(id: string, { wait = 0 }: { wait?: number } = {}): Promise<Job> {
    return this.#json("GET", `/jobs/${encodeURIComponent(id)}${query({ wait })}`);
  }

  /** Yield your own jobs, newest first. */
  async *jobs(filter: { state?: string; name?: string; metadata?: Record<string, string> } = {}) {
    let cursor: string | null | undefined;
    do {
      const page: { jobs: Job[]; cursor: string | null } = await this.#json(
        "GET",
        `/jobs${query({ ...filter, cursor })}`,
      );
      yield* page.jobs;
      cursor = page.cursor;
    } while (cursor);
  }

  /** Yield a job now, and again whenever it changes, until it has ended. */
  async *watch(id: string): AsyncGenerator<Job, void, undefined> {
    for (;;) {
      const sentAt = Date.now();
      const job = await this.job(id, { wait: LONG_POLL });
      yield job;
      if (FINAL.includes(job.state)) {
        return;
      }
      await pause(SHORTEST_PAUSE - (Date.now() - sentAt) / 1000);
    }
  }

  /** Wait until a job has ended, and return it. */
  async wait(id: string): Promise<Job> {
    let last = await this.job(id);
    for await (last of this.watch(id));
    return last;
  }

  /**
   * Yield the results of a job, in upload order by default. They are streamed.
   *
   * An interrupted download is resumed, unless `filter.partial` is set, or unless it has brought no
   * result since the last interruption.
   */
  async *results(id: string, filter: ResultFilter = {}): AsyncGenerator<Row, void, undefined> {
    let received = 0;
    for (;;) {
      const before = received;
      const asked = query({
        ...filter,
        format: "jsonl",
        offset: (filter.offset ?? 0) + received,
        count: filter.count === undefined ? undefined : filter.count - received,
      });
      const response = await this.#send("GET", `/jobs/${encodeURIComponent(id)}/results${asked}`);
      const download = lines(response);
      for (;;) {
        let next: IteratorResult<string, void>;
        try {
          next = await download.next();
        } catch (error) {
          if (filter.partial || received === before) {
            throw new Failure("the download was interrupted", undefined, undefined, {
              cause: error,
            });
          }
          break;
        }
        if (next.done) {
          return;
        }
        received += 1;
        yield JSON.parse(next.value) as Row;
      }
    }
  }

  /** Return one result with its grids, candidates, and explanation. `n` counts from 1. */
  puzzle(id: string, n: number): Promise<Puzzle> {
    return this.#json("GET", `/jobs/${encodeURIComponent(id)}/puzzles/${n}`);
  }

  /** Solve one puzzle, and wait for its result. */
  async solve(puzzle: PuzzleInput, options: Options = {}): Promise<Puzzle> {
    const response = await this.#send("POST", "/solve", { json: { puzzle, options } });
    if (response.status !== 202) {
      return (await response.json()) as Puzzle;
    }
    const job = (await response.json()) as Job;
    await this.wait(job.id);
    return this.puzzle(job.id, 1);
  }

  /**
   * Return the report on the puzzles of a finished job. `against` is the id of another job, whose
   * puzzles the report compares, and `levels` the number of levels of the proposed book.
   */
  report(id: string, query: { against?: string; levels?: number } = {}): Promise<Report> {
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    ).toString();
    return this.#json("GET", `/jobs/${encodeURIComponent(id)}/report${text && `?${text}`}`);
  }

  /** Cancel a job, and return it. The results so far are kept. */
  cancel(id: string): Promise<Job> {
    return this.#json("POST", `/jobs/${encodeURIComponent(id)}/cancel`);
  }

  /** Delete a job with its puzzles and results. */
  async delete(id: string): Promise<void> {
    await this.#send("DELETE", `/jobs/${encodeURIComponent(id)}`);
  }

  /**
   * Send the job to its webhook now, as a test, and return it. `webhook.last_test` has the outcome.
   *
   * It is null, or that of an earlier test, if no worker has sent the test within 15 seconds.
   */
  testWebhook(id: string): Promise<Job> {
    return this.#json("POST", `/jobs/${encodeURIComponent(id)}/webhook/test`);
  }

  /** Send the notification of an ended job once more, with the same id, and return the job. */
  redeliverWebhook(id: string): Promise<Job> {
    return this.#json("POST", `/jobs/${encodeURIComponent(id)}/webhook/redeliver`);
  }

  async #json<Value>(method: string, path: string, request: Content = {}): Promise<Value> {
    return (await (await this.#send(method, path, request)).json()) as Value;
  }

  /** Send a request, retry it while the service is unavailable, and return the response. */
  async #send(method: string, path: string, request: Content = {}): Promise<Response> {
    const retried = request.retried ?? RETRIED;
    const init: RequestInit = {
      method,
      headers: {
        ...this.#headers,
        ...request.headers,
        ...(request.json === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: request.json === undefined ? (request.body ?? null) : JSON.stringify(request.json),
    };
    let failedAt: number | undefined;
    let least = SHORTEST_PAUSE;
    for (;;) {
      let failure: Failure;
      let seconds = least;
      try {
        const response = await this.#fetch(`${this.#url}/api/v1${path}`, init);
        if (response.ok) {
          return response;
        }
        failure = await Failure.of(response);
        if (!retried.includes(response.status)) {
          throw failure;
        }
        seconds = Math.max(least, Number(response.headers.get("Retry-After")) || 0);
      } catch (error) {
        if (error instanceof Failure) {
          throw error;
        }
        failure = new Failure(`no answer from ${this.#url}`, undefined, undefined, {
          cause: error,
        });
      }
      failedAt ??= Date.now();
      const left = this.#patience - (Date.now() - failedAt) / 1000;
      if (left <= 0) {
        throw failure;
      }
      await pause(Math.min(seconds, left));
      least = Math.min(2 * least, LONGEST_PAUSE);
    }
  }
}

interface Content {
  headers?: Record<string, string>;
  json?: unknown;
  body?: BodyInit;
  /** The HTTP statuses that cause a retry. */
  retried?: readonly number[];
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 * Math.max(seconds, 0)));
}

/**
 * Return a query string with these parameters, or "" if all are undefined or null.
 *
 * Objects become one parameter for each key.
 */
function query(parameters: object): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === "object" && value !== null) {
      for (const [key, text] of Object.entries(value)) {
        pairs.append(`${name}[${key}]`, String(text));
      }
    } else if (value !== undefined && value !== null) {
      pairs.append(name, String(value));
    }
  }
  return pairs.size ? `?${pairs}` : "";
}
