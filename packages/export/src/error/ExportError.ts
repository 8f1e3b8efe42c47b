/**
 * The one error of an export. Its tagged `reason` says what failed. Failures of the service or the network are the client's own errors, and
 * pass through unchanged.
 */
import * as Data from "effect/Data"
import type { Reason, ReasonTag } from "./Reason.ts"
import { advice, headline } from "./wording.ts"

export { actionOf } from "./Action.ts"
export type { Action } from "./Action.ts"
export type * from "./Reason.ts"

/** The error of columns, writers and runs. */
export class ExportError extends Data.TaggedError("ExportError")<{ readonly reason: Reason }> {
  /** What happened, where, and what the reader can do. One line, also where a file name holds line breaks. */
  override get message(): string {
    return `${headline(this.reason)}. ${advice(this.reason)}`
      .replaceAll("\n", "\u240A")
      .replaceAll("\r", "\u240D")
  }

  /** Plain data for logs and machine-readable output. */
  override toJSON(): { readonly error: ReasonTag; readonly message: string; readonly reason: Reason } {
    return { error: this.reason._tag, message: this.message, reason: this.reason }
  }
}
