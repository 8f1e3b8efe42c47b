/** The Effect entry of the client: models, errors and the service. */

/** API-key metadata: its type, its check, its documented members and known scopes. */
export * as ApiKey from "./model/ApiKey.ts"
export type { Checkpoint } from "./Page.ts"
/** The options of every call: time limits, retries, priority. */
export type { CallOptions, Retry, TimeLimits } from "./call/ClientOptions.ts"
/** The options of a client and their defaults. `make` checks them, and fails with `ConfigInvalid` if one cannot work. */
export * as ClientConfig from "./call/ClientConfig.ts"
/** The one error of every operation: its reasons, `match` over all of them, and `actionOf` for what the reader can do. */
export * as ClientError from "./error/ClientError.ts"
/** Events of a client as values: attempts, waits, pages, anomalies, schema drift; `line` makes a log line of one. */
export * as ClientEvent from "./events/ClientEvent.ts"
export type {
  Completeness,
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  OrderedBy,
  Resumption,
} from "./Page.ts"
/** Contracts: their type, their check, their documented members, known kinds and statuses. */
export * as Contract from "./model/Contract.ts"
export type {
  CheckpointMismatch,
  Cursor,
  CursorEvidence,
  CursorVerification,
  SavedCursor,
  StallEvidence,
} from "./internal/cursor.ts"
/** Converts JSON text to values and back, with every integer exact. */
export * as Json from "./model/Json.ts"
export type { JsonObject } from "./answer/answer.ts"
export type { Json as JsonValue } from "./model/Json.ts"
/** Findings about API keys: unused, old, too many scopes, used after revocation. Pure. */
export * as KeyAudit from "./model/KeyAudit.ts"
/** Many records by id: the results and the options of `getMany`. */
export * as Lookup from "./client/Lookup.ts"
export type { Issue } from "./model/check.ts"
export type { Me } from "./model/Me.ts"
export type { Page, RecordedAnswer, RejectedRecord } from "./Page.ts"
export type { CursorFinding } from "./internal/probe.ts"
/** The client: `make`, `layer`, `layerConfig`, and its operations as `Service`. */
export * as PropertyClient from "./client/PropertyClient.ts"
export type { Priority, RateLimits } from "./call/RateLimiter.ts"
/** When a failed attempt is retried: the two presets `interactive` and `patient`, and the decision. Pure. */
export * as RetryPolicy from "./call/RetryPolicy.ts"
export type { CollectionName } from "./model/ServiceRequest.ts"
/** ISO 8601 timestamps of records: check, conversion to `Date`, and a text that sorts. */
export * as Timestamp from "./model/Timestamp.ts"
/** The function that sends one request. Default: `fetch`. */
export * as Transport from "./transport/Transport.ts"
export { unreadSummary } from "./Page.ts"
export type { Anomaly, IdOrder, ReadSummary } from "./Page.ts"
export {
  ApiKeySchema,
  apiKeyFields,
  ContractSchema,
  contractFields,
  JsonSchema,
  ListingSchema,
  TimestampSchema,
} from "./model/schemas.ts"
