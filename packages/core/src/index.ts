/** The Effect entry of the client: models, errors and the service. */
export * as ApiKey from "./model/ApiKey.ts"
export type { Checkpoint } from "./pagination/Checkpoint.ts"
export * as ClientConfig from "./call/ClientConfig.ts"
export * as ClientError from "./error/ClientError.ts"
export { ClientErrorSchema, ReasonSchema, ReadSummarySchema } from "./error/ClientErrorSchema.ts"
export * as ClientEvent from "./events/ClientEvent.ts"
export type {
  Completeness,
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  ListOrder,
  Resumption,
} from "./pagination/Completeness.ts"
export * as Contract from "./model/Contract.ts"
export * as Cursor from "./pagination/Cursor.ts"
export * as EventLog from "./events/EventLog.ts"
export * as Json from "./model/Json.ts"
export * as KeyAudit from "./model/KeyAudit.ts"
export * as Lookup from "./client/Lookup.ts"
export type { Me } from "./model/Me.ts"
export type { RejectedRecord, Page } from "./pagination/Page.ts"
export * as Probe from "./pagination/reading/Probe.ts"
export * as PropertyClient from "./client/PropertyClient.ts"
export type { RecordedPage, Recording, RecordingOwner } from "./pagination/Recording.ts"
export * as RetryPolicy from "./call/RetryPolicy.ts"
export * as ServiceRequest from "./model/ServiceRequest.ts"
export * as Timestamp from "./model/Timestamp.ts"
export * as Transport from "./transport/Transport.ts"
export type { Anomaly, Ordering, ReadSummary } from "./pagination/ReadSummary.ts"
