// Runs against the service at SUDOKUQ_URL. `npm test` needs `npm run build` first.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, Failure, type Row } from "../src/index.js";

const URL = process.env["SUDOKUQ_URL"] ?? "http://127.0.0.1:8000";
const PUZZLES = ["12.4...2....4..1", "1...............", "no puzzle"];
const client = new Client(URL);

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

test("a job is submitted, followed, read, cancelled, and deleted", async () => {
  const metadata = { project: "book" };
  const job = await client.wait((await client.submit(PUZZLES, { name: "mine", limit: 3, metadata })).id);
  assert.deepEqual([job.state, job.name, job.total], ["finished", "mine", 3]);
  assert.deepEqual([job.options.limit, job.metadata], [3, metadata]);

  const rows = await all(client.results(job.id));
  assert.deepEqual(rows.map((row) => row.outcome), ["solved", "multiple", "invalid"]);
  assert.equal(rows[0]?.solution, "1234341221434321");
  const page = await all(client.results(job.id, { sort: "-steps", offset: 1, count: 1 }));
  assert.equal(page.length, 1);
  const invalid: Row[] = await all(client.results(job.id, { outcome: "invalid" }));
  assert.deepEqual(invalid.map((row) => row.n), [3]);
  assert.deepEqual((await client.puzzle(job.id, 1)).solution_grid?.[0], ["1", "2", "3", "4"]);

  const found = await client.jobs({ metadata }).next();
  assert(!found.done);
  assert.equal(found.value.id, job.id);
  assert.equal((await client.cancel(job.id)).state, "finished");
  await client.delete(job.id);
  await assert.rejects(client.job(job.id), (error) => {
    assert(error instanceof Failure);
    assert.deepEqual([error.status, error.problem?.type], [404, "/errors/job-not-found"]);
    return true;
  });
});

test("a running job is cancelled, and its results so far are kept", async () => {
  const hard = "1" + ".".repeat(80);
  const text = Array.from({ length: 2000 }, () => hard).join("\n");
  const job = await client.submit(text, { limit: 10_000 });
  assert.equal((await client.cancel(job.id)).state, "cancelled");
  assert((await all(client.results(job.id))).length < 2000);
});

test("text is uploaded, and many results are streamed", async () => {
  const text = "12.4...2....4..1\n".repeat(5000);
  const job = await client.wait((await client.submit(text)).id);
  const rows = await all(client.results(job.id));
  assert.deepEqual(rows.map((row) => row.n), Array.from({ length: 5000 }, (_, index) => index + 1));
});

test("selected puzzles of a job run again with other options", async () => {
  const first = await client.wait((await client.submit(PUZZLES, { name: "mine" })).id);
  const job = await client.runAgain(first.id, { outcome: "solved,multiple" }, { limit: 3 });
  assert.deepEqual(
    [job.name, job.options.limit, job.source],
    ["mine", 3, { job: first.id, where: { outcome: "solved,multiple" } }],
  );
  const rows = await all(client.results((await client.wait(job.id)).id));
  assert.deepEqual(rows.map((row) => row.source?.n), [1, 2]);
  assert.deepEqual(rows.map((row) => row.solutions), [1, 3]);
  assert.equal((await client.wait((await client.runAgain(first.id)).id)).total, 3);
});

test("puzzles are made as a job", async () => {
  const job = await client.generate({ count: 2, box: "2x2", seed: 3 }, { minlex: true });
  const rows = await all(client.results((await client.wait(job.id)).id));
  assert.deepEqual(rows.map((row) => row.unique), [true, true]);
});

test("one puzzle is solved", async () => {
  const puzzle = await client.solve("12.4...2....4..1", { rate: true });
  assert.deepEqual([puzzle.outcome, puzzle.solution], ["solved", "1234341221434321"]);
});

test("sending an upload again with the same key returns the same job", async () => {
  const idempotencyKey = crypto.randomUUID();
  const [first, second] = [
    await client.submit(PUZZLES, { idempotencyKey }),
    await client.submit(PUZZLES, { idempotencyKey }),
  ];
  assert.equal(first.id, second.id);
});

test("requests are retried while the service is busy or unreachable", async () => {
  let attempts = 0;
  const unreliable = new Client(URL, {
    fetch: async (...request) => {
      attempts += 1;
      if (attempts === 1) {
        throw new TypeError("fetch failed");
      }
      return attempts === 2 ? new Response("", { status: 503 }) : fetch(...request);
    },
  });
  assert.equal((await unreliable.solve("12.4...2....4..1")).outcome, "solved");
  assert.equal(attempts, 3);
});

test("an interrupted download is resumed", async () => {
  const job = await client.wait((await client.submit(PUZZLES)).id);
  let downloads = 0;
  const unreliable = new Client(URL, {
    fetch: async (...request) => {
      const response = await fetch(...request);
      downloads += 1;
      if (downloads > 1) {
        return response;
      }
      const [line] = (await response.text()).split("\n");
      const broken = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(`${line}\n{"n"`)),
        pull: (controller) => controller.error(new TypeError("terminated")),
      });
      return new Response(broken);
    },
  });
  const rows = await all(unreliable.results(job.id));
  assert.deepEqual([rows.map((row) => row.n), downloads], [[1, 2, 3], 2]);
});

test("puzzles may be objects with an id of their own", async () => {
  const puzzles = [{ custom_id: "app-1", puzzle: "12.4...2....4..1" }, "12.4...2....4..1"];
  const job = await client.wait((await client.submit(puzzles)).id);
  const rows = await all(client.results(job.id));
  assert.deepEqual(rows.map((row) => row.name), ["app-1", null]);
});

test("an unreachable service is reported", async () => {
  const nowhere = new Client("http://127.0.0.1:9", { patience: 0 });
  await assert.rejects(nowhere.job("x"), /^Failure: no answer from http:\/\/127.0.0.1:9$/);
});
