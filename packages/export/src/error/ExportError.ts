/**
 * The one error of an export. Its tagged `reason` says what failed. Failures of the service or the network are the client's own errors, and
 * pass through unchanged.
 */
import * as Data from "effect/Data"
import type { Reason, ReasonTag } from "./Reason.ts"
import { advice, headline } from "./wording.ts"

/**
 * - `replace-file` allow the existing file to be replaced, or choose another name
 * - `choose-target` choose another path
 * - `fix-permissions` allow writing to the file and its folder, or choose another path
 * - `close-file` close the file in the other program
 * - `free-space` make room on the disk, or choose another one
 * - `check-path` check the path of the file that is read
 * - `check-disk` check the disk and the path
 * - `choose-columns` choose columns from the list in the reason
 * - `correct-filter` correct the condition
 * - `review-rejected` look at what is not as specified and check the base URL, or allow more rejected records
 * - `export-to-file` export to a file instead of a pipe or standard output
 * - `retry` run the export again
 * - `move-file` move the file that has the record file's name
 * - `wait` wait for the other run
 * - `match-options` use the options of the interrupted run, or start a new export
 * - `reduce-rows` choose a format that holds more rows, or export fewer records
 * - `choose-time-zone` choose a name of the IANA database
 * - `export-again` export again, because the file is not usable
 * - `none` nothing is wrong if it was intended
 */
export type Action =
  | "replace-file"
  | "choose-target"
  | "fix-permissions"
  | "close-file"
  | "free-space"
  | "check-path"
  | "check-disk"
  | "choose-columns"
  | "correct-filter"
  | "review-rejected"
  | "export-to-file"
  | "retry"
  | "move-file"
  | "wait"
  | "match-options"
  | "reduce-rows"
  | "choose-time-zone"
  | "export-again"
  | "none"

/** The action that helps with a reason. */
export const actionOf = (reason: Reason): Action => {
  switch (reason._tag) {
    case "TargetExists":
      return "replace-file"
    case "TargetFolderMissing":
    case "TargetIsFolder":
    case "NameTooLong":
    case "TargetMounted":
    case "NotOwn":
    case "TargetTwice":
      return "choose-target"
    case "TargetNotWritable":
      return "fix-permissions"
    case "TargetBusy":
      return "close-file"
    case "DiskFull":
      return "free-space"
    case "SinkClosed":
      return "none"
    case "FileMissing":
      return "check-path"
    case "FileFailed":
      return "check-disk"
    case "ColumnUnknown":
    case "ColumnsMissing":
      return "choose-columns"
    case "FilterInvalid":
      return "correct-filter"
    case "TooManyRejected":
      return "review-rejected"
    case "RejectedHaveNoFile":
    case "OneTableOnly":
      return "export-to-file"
    case "ReadIncomplete":
      return "retry"
    case "RecordsUnreadable":
      return "move-file"
    case "RunUnderWay":
      return "wait"
    case "ResumeRefused":
      return "match-options"
    case "TooManyRows":
      return "reduce-rows"
    case "TimeZoneUnknown":
      return "choose-time-zone"
    case "Unreadable":
    case "NotAsExported":
      return "export-again"
  }
}

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
