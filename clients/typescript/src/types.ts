// Names for the generated types that applications use most.

import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** A job: its state, progress, options, and links. */
export type Job = Schemas["Job"];
/** The result of one puzzle. Only jobs with the option `rate` have the optional members. */
export type Row = Schemas["Row"] & Partial<Schemas["RatedRow"]>;
/** A result with its grids, candidates, and explanation. */
export type Puzzle = Schemas["Puzzle"];
/** The options of a job. All have defaults. */
export type Options = Schemas["UploadOptions"];
/** A filter for the puzzles of a job that run again. */
export type Where = Schemas["Where"];
/** A request for puzzles. */
export type GenerationRequest = Omit<Schemas["GenerationBody"], "options">;
/** What a publisher must know about the puzzles of a job. */
export type Report = Schemas["Report"];
/** Why a request failed (RFC 9457). */
export type Problem = Schemas["Problem"];
/** A puzzle as text, a list of numbers, or an object with members such as `givens`. */
export type PuzzleInput = Schemas["SinglePuzzle"]["puzzle"];
