/** The Effect entry of the client: models, errors and the service. */
export * as ApiKey from "./ApiKey.ts"
export type { Checkpoint } from "./Checkpoint.ts"
export * as ClientConfig from "./ClientConfig.ts"
export * as ClientError from "./ClientError.ts"
export { ClientErrorSchema, ReasonSchema, WalkSummarySchema } from "./ClientErrorSchema.ts"
export * as ClientEvent from "./ClientEvent.ts"
export type {
  Completeness,
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  ListOrder,
  Resumption,
} from "./Completeness.ts"
export * as Contract from "./Contract.ts"
export * as Cursor from "./Cursor.ts"
export * as EventLog from "./EventLog.ts"
export * as Json from "./Json.ts"
export * as KeyAudit from "./KeyAudit.ts"
export * as LookUp from "./LookUp.ts"
export type { Me } from "./Me.ts"
export type { InvalidRecord, Page } from "./Page.ts"
export * as Probe from "./Probe.ts"
export * as PropertyClient from "./PropertyClient.ts"
export type { RecordedPage, Recording, RecordingOwner } from "./Recording.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
export * as ServiceRequest from "./ServiceRequest.ts"
export * as Timestamp from "./Timestamp.ts"
export * as Transport from "./Transport.ts"
export type { Anomaly, Ordering, WalkSummary } from "./WalkSummary.ts"
