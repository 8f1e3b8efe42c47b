/**
 * Every way in which an export can fail, as plain data for logs, exit codes and matching. A reason holds paths, counts and column names, and
 * no value of a record. Failures of the service or the network are the client's own errors, and not reasons.
 */

/** The file already exists, and the run is not allowed to replace it. Found before the first request, or when the file is named. */
export interface TargetExists {
  readonly _tag: "TargetExists"
  readonly path: string
}
/** The folder of the target does not exist. Nothing was requested. */
export interface TargetFolderMissing {
  readonly _tag: "TargetFolderMissing"
  readonly folder: string
}
/** The target is a folder. Nothing was requested. */
export interface TargetIsFolder {
  readonly _tag: "TargetIsFolder"
  readonly path: string
}
/** This user cannot write to the target or its folder. `code` is the platform's, such as `EACCES`. */
export interface TargetNotWritable {
  readonly _tag: "TargetNotWritable"
  readonly path: string
  readonly code: string
}
/** The name of the target, or of a file beside it, is longer than the file system allows. Nothing was requested. */
export interface NameTooLong {
  readonly _tag: "NameTooLong"
  readonly path: string
}
/** The finished file could not be renamed because another program has the old one open (Windows). */
export interface TargetBusy {
  readonly _tag: "TargetBusy"
  readonly path: string
}
/** The target is a mount point itself, such as a single file that a container mounts, and cannot be replaced. */
export interface TargetMounted {
  readonly _tag: "TargetMounted"
  readonly path: string
}
/** Another user may have put the entry there, or it is no file. It was not used. `problem` is the rest of a sentence that begins with the path. */
export interface NotOwn {
  readonly _tag: "NotOwn"
  readonly path: string
  readonly problem: string
}
/** No space is left on the disk, or in this user's quota. */
export interface DiskFull {
  readonly _tag: "DiskFull"
  readonly path: string
}
/** The reader of a pipe or of standard output closed it. */
export interface SinkClosed {
  readonly _tag: "SinkClosed"
  readonly target: string
}
/** A file that was to be read does not exist. */
export interface FileMissing {
  readonly _tag: "FileMissing"
  readonly path: string
}
/** Any other failure of the file system. `code` is the platform's, null when it gave none. */
export interface FileFailed {
  readonly _tag: "FileFailed"
  readonly path: string
  readonly step: FileStep
  readonly code: string | null
}
/** What was being done with a file when it failed. */
export type FileStep = "inspect" | "read" | "create" | "write" | "sync" | "rename" | "remove"

/** The table does not have the column. */
export interface ColumnUnknown {
  readonly _tag: "ColumnUnknown"
  readonly name: string
  readonly nearest: string | null
  readonly valid: ReadonlyArray<string>
}
/** A text that is not a condition of a filter. `text` is as it was written, `expected` says what is valid. */
export interface FilterInvalid {
  readonly _tag: "FilterInvalid"
  readonly text: string
  readonly expected: string
}
/** No column was named. */
export interface ColumnsMissing {
  readonly _tag: "ColumnsMissing"
  readonly valid: ReadonlyArray<string>
}

/** What is wrong with rejected records, counted over all of them: path, expectation and type, never a value. */
export interface RejectedMember {
  readonly path: string
  readonly expected: string
  readonly found: string
  readonly records: number
}
/** More records than the run allows are not as specified. */
export interface TooManyRejected {
  readonly _tag: "TooManyRejected"
  readonly rejected: number
  /** Records seen so far, the rejected ones included. */
  readonly seen: number
  readonly members: ReadonlyArray<RejectedMember>
}
/** A record is not as specified, and the target is not a file, so that there is no file beside it for rejected records. */
export interface RejectedHaveNoFile {
  readonly _tag: "RejectedHaveNoFile"
  readonly target: string
  readonly id: number | null
  readonly members: ReadonlyArray<RejectedMember>
}
/** The pages ended, and the service never said that there was no further one. */
export interface ReadIncomplete {
  readonly _tag: "ReadIncomplete"
  readonly target: string
  readonly pages: number
  readonly records: number
}

/** A file that is not a record file has the name of this export's one, or a newer version of the program wrote it. */
export interface RecordsUnreadable {
  readonly _tag: "RecordsUnreadable"
  readonly path: string
  readonly isNewer: boolean
}
/** Another process is writing these files. */
export interface RunUnderWay {
  readonly _tag: "RunUnderWay"
  readonly path: string
}
/** The run to resume differs from this one. `field` names the difference, such as `contracts columns`. */
export interface ResumeRefused {
  readonly _tag: "ResumeRefused"
  readonly path: string
  readonly field: string
}
/** The table has more rows than a file of this format can hold. */
export interface TooManyRows {
  readonly _tag: "TooManyRows"
  readonly format: string
  readonly maxRows: number
}
/** Several tables go to a target that takes only one. */
export interface OneTableOnly {
  readonly _tag: "OneTableOnly"
  readonly target: string
  readonly format: string
}
/** The same file would be written twice. */
export interface TargetTwice {
  readonly _tag: "TargetTwice"
  readonly path: string
}
/** A time zone that the platform does not know. */
export interface TimeZoneUnknown {
  readonly _tag: "TimeZoneUnknown"
  readonly name: string
}
/** A file that should be an export, or its manifest, cannot be read as one. */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly path: string
  /** What it should be, such as `a manifest`. */
  readonly expected: string
}
/** A file is not what its manifest says. */
export interface NotAsExported {
  readonly _tag: "NotAsExported"
  readonly path: string
  readonly state: "changed" | "missing"
}

/** Every way to fail. */
export type Reason =
  | TargetExists
  | TargetFolderMissing
  | TargetIsFolder
  | TargetNotWritable
  | NameTooLong
  | TargetBusy
  | TargetMounted
  | NotOwn
  | DiskFull
  | SinkClosed
  | FileMissing
  | FileFailed
  | ColumnUnknown
  | ColumnsMissing
  | FilterInvalid
  | TooManyRejected
  | RejectedHaveNoFile
  | ReadIncomplete
  | RecordsUnreadable
  | RunUnderWay
  | ResumeRefused
  | TooManyRows
  | OneTableOnly
  | TargetTwice
  | TimeZoneUnknown
  | Unreadable
  | NotAsExported

export type ReasonTag = Reason["_tag"]
