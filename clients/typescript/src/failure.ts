import type { Problem } from "./types.js";

/** A request that failed, even after retries. `message` says why. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    message: string,
    /** The HTTP status, or undefined if there was no response. */
    readonly status?: number,
    /** The problem document in the response, if there is one. `type` identifies the problem. */
    readonly problem?: Problem,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Return the failure that the response to a request reports, as a problem document or a status. */
  static async of(response: Response): Promise<Failure> {
    const text = await response.text();
    try {
      const problem = JSON.parse(text) as Problem;
      return new Failure(problem.detail, response.status, problem);
    } catch {
      return new Failure(`${response.status} ${response.statusText}`, response.status);
    }
  }
}
