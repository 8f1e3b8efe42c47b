/**
 * The one error of an export: every way in which one can fail, as plain data for logs, exit codes and matching, with an action and English sentences. A
 * reason holds paths, counts and column names, and no value of a record. Failures of the service or the network are the client's own errors, and pass
 * through unchanged.
 */
import * as Data from "effect/Data"

/** What was being done with a file when it failed. */
export type FileStep = "inspect" | "read" | "create" | "write" | "sync" | "rename" | "remove"

/** What is wrong with rejected records, counted over all of them: path, expectation and type, never a value. */
export interface RejectedMember {
  readonly path: string
  readonly expected: string
  readonly found: string
  readonly records: number
}

export type Reason =
  /** The file already exists, and the run is not allowed to replace it. Found before the first request, or when the file is named. */
  | { readonly _tag: "TargetExists"; readonly path: string }
  /** The folder of the target does not exist. Nothing was requested. */
  | { readonly _tag: "TargetFolderMissing"; readonly folder: string }
  /** The target is a folder. Nothing was requested. */
  | { readonly _tag: "TargetIsFolder"; readonly path: string }
  /** This user cannot write to the target or its folder. `code` is the platform's, such as `EACCES`. */
  | { readonly _tag: "TargetNotWritable"; readonly path: string; readonly code: string }
  /** The name of the target, or of a file beside it, is longer than the file system allows. Nothing was requested. */
  | { readonly _tag: "NameTooLong"; readonly path: string }
  /** The finished file could not be renamed because another program has the old one open (Windows). */
  | { readonly _tag: "TargetBusy"; readonly path: string }
  /** The target is a mount point itself, such as a single file that a container mounts, and cannot be replaced. */
  | { readonly _tag: "TargetMounted"; readonly path: string }
  /** Another user may have put the entry there, or it is no file. It was not used. `problem` is the rest of a sentence that begins with the path. */
  | { readonly _tag: "NotOwn"; readonly path: string; readonly problem: string }
  /** No space is left on the disk, or in this user's quota. */
  | { readonly _tag: "DiskFull"; readonly path: string }
  /** The reader of a pipe or of standard output closed it. */
  | { readonly _tag: "SinkClosed"; readonly target: string }
  /** A file that was to be read does not exist. */
  | { readonly _tag: "FileMissing"; readonly path: string }
  /** Any other failure of the file system. `code` is the platform's, null when it gave none. */
  | {
      readonly _tag: "FileFailed"
      readonly path: string
      readonly step: FileStep
      readonly code: string | null
    }
  /** The table does not have the column. */
  | {
      readonly _tag: "ColumnUnknown"
      readonly name: string
      readonly nearest: string | null
      readonly valid: ReadonlyArray<string>
    }
  | { readonly _tag: "ColumnsMissing"; readonly valid: ReadonlyArray<string> }
  /** A text that is not a condition of a filter. `text` is as it was written, `expected` says what is valid. */
  | { readonly _tag: "FilterInvalid"; readonly text: string; readonly expected: string }
  /** More records than the run allows are not as specified. `seen` counts the records so far, the rejected ones included. */
  | {
      readonly _tag: "TooManyRejected"
      readonly rejected: number
      readonly seen: number
      readonly members: ReadonlyArray<RejectedMember>
    }
  /** A record is not as specified, and the target is not a file, so that there is no file beside it for rejected records. */
  | {
      readonly _tag: "RejectedHaveNoFile"
      readonly target: string
      readonly id: number | null
      readonly members: ReadonlyArray<RejectedMember>
    }
  /** The pages ended, and the service never said that there was no further one. */
  | {
      readonly _tag: "ReadIncomplete"
      readonly target: string
      readonly pages: number
      readonly records: number
    }
  /** A file that is not a record file has the name of this export's one, or a newer version of the program wrote it. */
  | { readonly _tag: "RecordsUnreadable"; readonly path: string; readonly isNewer: boolean }
  | { readonly _tag: "RunUnderWay"; readonly path: string }
  /** The run to resume differs from this one. `field` names the difference, such as `list of tables`. */
  | { readonly _tag: "ResumeRefused"; readonly path: string; readonly field: string }
  /** The table has more rows than a file of this format can hold. */
  | { readonly _tag: "TooManyRows"; readonly format: string; readonly maxRows: number }
  /** Several tables go to a target that takes only one. */
  | { readonly _tag: "OneTableOnly"; readonly target: string; readonly format: string }
  | { readonly _tag: "TargetTwice"; readonly path: string }
  /** A time zone that the platform does not know. */
  | { readonly _tag: "TimeZoneUnknown"; readonly name: string }
  /** A file that should be an export, or its manifest, cannot be read as one. `expected` is what it should be, such as `a manifest`. */
  | { readonly _tag: "Unreadable"; readonly path: string; readonly expected: string }
  /** A file is not what its manifest says. */
  | { readonly _tag: "NotAsExported"; readonly path: string; readonly state: "changed" | "missing" }

export type ReasonTag = Reason["_tag"]

/** What the reader can do. */
export type Action =
  | "replace-file" // allow the existing file to be replaced, or choose another name
  | "choose-target" // choose another path
  | "fix-permissions" // allow writing to the file and its folder, or choose another path
  | "close-file" // close the file in the other program
  | "free-space" // make room on the disk, or choose another one
  | "check-path" // check the path of the file that is read
  | "check-disk" // check the disk and the path
  | "choose-columns" // choose columns from the list in the reason
  | "correct-filter" // correct the condition
  | "review-rejected" // look at what is not as specified and check the base URL, or allow more rejected records
  | "export-to-file" // export to a file instead of a pipe or standard output
  | "retry" // run the export again
  | "move-file" // move the file that has the record file's name
  | "wait" // wait for the other run
  | "match-options" // use the options of the interrupted run, or start a new export
  | "reduce-rows" // choose a format that holds more rows, or export fewer records
  | "choose-time-zone" // choose a name of the IANA database
  | "export-again" // export again, because the file is not usable
  | "none" // nothing is wrong if it was intended

const membersText = (members: ReadonlyArray<RejectedMember>): string =>
  members
    .slice(0, 3)
    .map(({ expected, found, path, records }) => {
      const where = path === "" ? "the record" : path
      return `${where} should be ${expected} and is ${found}${records > 1 ? ` (${records} times)` : ""}`
    })
    .join("; ") + (members.length > 3 ? `; and ${members.length - 3} more` : "")

const place = (target: string): string => (target === "-" ? "standard output" : target)

/** What helps, what happened and where, without a full stop, and what the reader can do, in full sentences. */
interface Meaning<R> {
  readonly action: Action
  readonly headline: (reason: R) => string
  readonly advice: string | ((reason: R) => string)
}

/**
 * The meaning of each reason. The sentences are the same on every surface, so they name no flag and no button (see `Action`), and make no claim about
 * files that the error does not name.
 */
const meanings: { readonly [Tag in ReasonTag]: Meaning<Extract<Reason, { readonly _tag: Tag }>> } = {
  TargetExists: {
    action: "replace-file",
    headline: (reason) => `${reason.path} already exists`,
    advice: "Choose another name, or allow the file to be replaced. The file was not changed.",
  },
  TargetFolderMissing: {
    action: "choose-target",
    headline: (reason) => `The folder ${reason.folder} does not exist`,
    advice: "Create the folder first, or choose another one. Nothing was requested.",
  },
  TargetIsFolder: {
    action: "choose-target",
    headline: (reason) => `${reason.path} is a folder`,
    advice: "Add a file name to the path. Nothing was requested.",
  },
  TargetNotWritable: {
    action: "fix-permissions",
    headline: (reason) => `${reason.path} cannot be written (${reason.code})`,
    advice: ({ code }) =>
      code === "EROFS"
        ? "Its file system is mounted read-only: choose another path."
        : "Check the permissions of the file and its folder, or choose another path.",
  },
  NameTooLong: {
    action: "choose-target",
    headline: (reason) => `The name ${reason.path} is too long`,
    advice:
      "Choose a shorter name: the files beside an export have names that are up to 50 characters longer. Nothing was requested.",
  },
  TargetBusy: {
    action: "close-file",
    headline: (reason) => `${reason.path} is open in another program`,
    advice: "Close the file in the other program, such as a spreadsheet, and try again.",
  },
  TargetMounted: {
    action: "choose-target",
    headline: (reason) => `${reason.path} is mounted by itself and cannot be replaced`,
    advice: "Mount its folder instead of the file, or choose another path.",
  },
  NotOwn: {
    action: "choose-target",
    headline: (reason) => `${reason.path} ${reason.problem}`,
    advice: "Remove it, or choose a folder that only you can write to. It was not used.",
  },
  DiskFull: {
    action: "free-space",
    headline: (reason) => `No space is left for ${place(reason.path)}`,
    advice: "Free some space, or choose another disk.",
  },
  SinkClosed: {
    action: "none",
    headline: (reason) => `The reader of ${place(reason.target)} closed it before the end`,
    advice: "It did not read the whole table. If that was intended, nothing is wrong.",
  },
  FileMissing: {
    action: "check-path",
    headline: (reason) => `${reason.path} does not exist`,
    advice: "Check the path.",
  },
  FileFailed: {
    action: "check-disk",
    headline: (reason) => `Could not ${reason.step} ${place(reason.path)} (${reason.code ?? "no code"})`,
    advice: "Check the disk and the path, then try again.",
  },
  ColumnUnknown: {
    action: "choose-columns",
    headline: (reason) => `There is no column "${reason.name}"`,
    advice: (reason) =>
      reason.nearest === null
        ? `The columns are: ${reason.valid.join(", ")}.`
        : `Did you mean "${reason.nearest}"? The columns are: ${reason.valid.join(", ")}.`,
  },
  ColumnsMissing: {
    action: "choose-columns",
    headline: () => "No column is chosen",
    advice: (reason) => `Name at least one of: ${reason.valid.join(", ")}.`,
  },
  FilterInvalid: {
    action: "correct-filter",
    headline: (reason) => `"${reason.text}" is not a condition: it takes ${reason.expected}`,
    advice: "Nothing was requested.",
  },
  TooManyRejected: {
    action: "review-rejected",
    headline: (reason) =>
      `${reason.rejected} of ${reason.seen} records are not as specified: ${membersText(reason.members)}`,
    advice:
      "The export was stopped. The service may have changed, or this is another service: check the base URL.",
  },
  RejectedHaveNoFile: {
    action: "export-to-file",
    headline: (reason) =>
      `${reason.id === null ? "A record" : `Record ${reason.id}`} is not as specified: ${membersText(reason.members)}`,
    advice:
      "Export to a file: rejected records are then written to a file beside it, and the others to the export.",
  },
  ReadIncomplete: {
    action: "retry",
    headline: (reason) =>
      `The list ended after ${reason.records} records in ${reason.pages} pages, and the service did not say that it was complete`,
    advice: "The result is not complete. Try again.",
  },
  RecordsUnreadable: {
    action: "move-file",
    headline: (reason) =>
      reason.isNewer
        ? `A newer version of the program began the export in ${reason.path}`
        : `${reason.path} does not hold an interrupted export`,
    advice: (reason) =>
      reason.isNewer
        ? "Resume it with that version, or move the file to start a new export. The file was not changed."
        : "Move the file, or choose another name for the export. The file was not changed.",
  },
  RunUnderWay: {
    action: "wait",
    headline: (reason) => `Another export to the same file is running (${reason.path})`,
    advice: "Wait until it ends, or choose another name.",
  },
  ResumeRefused: {
    action: "match-options",
    headline: (reason) =>
      `The interrupted export in ${reason.path} does not match: its ${reason.field} differ`,
    advice: "Use the options of that export, or start a new one.",
  },
  TooManyRows: {
    action: "reduce-rows",
    headline: (reason) =>
      `The table has more than ${reason.maxRows} rows, the most that ${reason.format} holds`,
    advice: "Choose another format, or export fewer records with a filter.",
  },
  OneTableOnly: {
    action: "export-to-file",
    headline: (reason) => `${place(reason.target)} takes one table as ${reason.format}, not several`,
    advice: "Export to a file name, so that each table gets a file of its own, or choose xlsx.",
  },
  TargetTwice: {
    action: "choose-target",
    headline: (reason) => `${reason.path} would be written twice`,
    advice: "Give each file its own name.",
  },
  TimeZoneUnknown: {
    action: "choose-time-zone",
    headline: (reason) => `There is no time zone "${reason.name}"`,
    advice: 'Use a name of the IANA database, such as "Europe/Athens", or "UTC".',
  },
  Unreadable: {
    action: "export-again",
    headline: (reason) => `${reason.path} is not ${reason.expected} that can be read`,
    advice: "Check the path. If the file was cut or changed, export again.",
  },
  NotAsExported: {
    action: "export-again",
    headline: (reason) =>
      `${reason.path} ${reason.state === "missing" ? "is missing" : "does not match its manifest"}`,
    advice: (reason) =>
      reason.state === "missing"
        ? "Restore it, or export again."
        : "Do not rely on it: export again, or find out what changed it.",
  },
}

const meaningOf = (reason: Reason): Meaning<Reason> => meanings[reason._tag] as Meaning<Reason>

export const actionOf = (reason: Reason): Action => meaningOf(reason).action

/** The error of columns, writers and runs. */
export class ExportError extends Data.TaggedError("ExportError")<{ readonly reason: Reason }> {
  /** What happened, where, and what the reader can do. One line, also where a file name holds line breaks. */
  override get message(): string {
    const { advice, headline } = meaningOf(this.reason)
    const whatToDo = typeof advice === "string" ? advice : advice(this.reason)
    return `${headline(this.reason)}. ${whatToDo}`.replaceAll("\n", "\u240A").replaceAll("\r", "\u240D")
  }

  /** Plain data for logs and machine-readable output. */
  override toJSON(): { readonly error: ReasonTag; readonly message: string; readonly reason: Reason } {
    return { error: this.reason._tag, message: this.message, reason: this.reason }
  }
}
