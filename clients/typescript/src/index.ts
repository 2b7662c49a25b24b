export { Client, type ClientSettings, type ResultFilter, type SubmitSettings } from "./client.js";
export { Failure } from "./failure.js";
export type {
  GenerationRequest,
  Job,
  Options,
  Problem,
  Puzzle,
  PuzzleInput,
  Report,
  Row,
  Where,
} from "./types.js";
export { verifyWebhook, type WebhookSettings } from "./webhook.js";
