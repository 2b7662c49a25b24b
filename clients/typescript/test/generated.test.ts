// The generated types work with openapi-fetch, without the client in this folder.

import assert from "node:assert/strict";
import { test } from "node:test";
import createClient from "openapi-fetch";

import type { components, paths } from "../src/schema.js";

const client = createClient<paths>({ baseUrl: process.env["SUDOKUQ_URL"] ?? "" });

test("a job is followed with the generated types alone", async () => {
  const created = await client.POST("/api/v1/jobs", {
    body: {
      puzzles: ["12.4...2....4..1", "1...............", "no puzzle"],
      options: { limit: 3 },
      name: "mine",
    },
  });
  assert(created.data);
  const path = { job_id: created.data.id };
  let job: components["schemas"]["Job"] = created.data;
  while (!["finished", "cancelled", "failed"].includes(job.state)) {
    const { data } = await client.GET("/api/v1/jobs/{job_id}", {
      params: { path, query: { wait: 20 } },
    });
    assert(data);
    job = data;
  }
  assert.deepEqual([job.name, job.total, job.outcomes["solved"]], ["mine", 3, 1]);

  const rows: components["schemas"]["Row"][] = [];
  while (rows.length < job.total) {
    const { data, response } = await client.GET("/api/v1/jobs/{job_id}/results", {
      params: { path, query: { format: "json", count: 2, offset: rows.length } },
    });
    assert(Array.isArray(data));
    rows.push(...data);
    assert.equal(response.headers.has("Link"), rows.length < job.total);
  }
  assert.deepEqual(rows.map((row) => row.outcome), ["solved", "multiple", "invalid"]);

  const { data: puzzle } = await client.GET("/api/v1/jobs/{job_id}/puzzles/{number}", {
    params: { path: { ...path, number: 1 } },
  });
  assert.deepEqual(puzzle?.solution_grid?.[0], ["1", "2", "3", "4"]);
  const cancelled = await client.POST("/api/v1/jobs/{job_id}/cancel", { params: { path } });
  assert.equal(cancelled.data?.state, "finished");
  const deleted = await client.DELETE("/api/v1/jobs/{job_id}", { params: { path } });
  assert.equal(deleted.response.status, 204);
  const { error } = await client.GET("/api/v1/jobs/{job_id}", { params: { path } });
  assert.equal(error?.type, "/errors/job-not-found");
});
