/** The error of a tool, for an assistant to act on. It names no flag of the command line. */
import { ClientError } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import * as Schema from "effect/Schema"

/** `error` names the kind, such as `RateLimited`, `FilterInvalid` or `CursorUnknown`. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  error: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed later without any change. */
  retryable: Schema.Boolean,
}) {}

/** An error of the call itself. */
export const wrong = (error: string, message: string): ToolError =>
  new ToolError({ error, message, retryable: false })

/** Converts an error of the client or of an export for an assistant. */
export const of = (failure: ClientError.ClientError | ExportError.ExportError): ToolError =>
  new ToolError({
    error: failure.reason._tag,
    message: failure.message,
    retryable: failure instanceof ClientError.ClientError && failure.retryable,
  })
