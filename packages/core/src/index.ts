/** The Effect entry of the client: models, errors and the service. */

/** API-key metadata: its type, its check, its documented members and known scopes. */
export * as ApiKey from "./ApiKey.ts"
export type {
  Anomaly,
  Checkpoint,
  Completeness,
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  IdOrder,
  OrderedBy,
  Page,
  ReadSummary,
  RecordedAnswer,
  RejectedRecord,
  Resumption,
} from "./Page.ts"
/** The options of every call: time limits, retries, priority. */
export type { CallOptions, Retry, TimeLimits } from "./ClientConfig.ts"
/** The options of a client and their defaults. `make` checks them, and fails with `ConfigInvalid` if one cannot work. */
export * as ClientConfig from "./ClientConfig.ts"
/** The one error of every operation: its reasons, `match` over all of them, and `actionOf` for what the reader can do. */
export * as ClientError from "./ClientError.ts"
/** Events of a client as values: attempts, waits, pages, anomalies, schema drift; `line` makes a log line of one. */
export * as ClientEvent from "./ClientEvent.ts"
/** Contracts: their type, their check, their documented members, known kinds and statuses. */
export * as Contract from "./Contract.ts"
export type {
  CheckpointMismatch,
  Cursor,
  CursorEvidence,
  CursorVerification,
  SavedCursor,
  StallEvidence,
} from "./internal/cursor.ts"
/** Converts JSON text to values and back, with every integer exact. */
export * as Json from "./Json.ts"
export type { JsonObject } from "./internal/answer.ts"
export type { Json as JsonValue } from "./Json.ts"
/** Findings about API keys: unused, old, too many scopes, used after revocation. Pure. */
export * as KeyAudit from "./KeyAudit.ts"
export type { Issue } from "./internal/check.ts"
export type { Lookup, LookupOptions, Me } from "./Records.ts"
export type { CursorFinding } from "./internal/probe.ts"
/** The client: `make`, `layer`, `layerConfig`, and its operations as `Service`. */
export * as PropertyClient from "./PropertyClient.ts"
export type { Priority, RateLimits } from "./RateLimiter.ts"
/** When a failed attempt is retried: the two presets `interactive` and `patient`, and the decision. Pure. */
export * as RetryPolicy from "./RetryPolicy.ts"
export type { CollectionName } from "./internal/serviceRequest.ts"
/** ISO 8601 timestamps of records: check, conversion to `Date`, and a text that sorts. */
export * as Timestamp from "./Timestamp.ts"
/** The function that sends one request. Default: `fetch`. */
export * as Transport from "./Transport.ts"
export { unreadSummary } from "./Page.ts"
export {
  ApiKeySchema,
  apiKeyFields,
  ContractSchema,
  contractFields,
  JsonSchema,
  ListingSchema,
  TimestampSchema,
} from "./Schemas.ts"
