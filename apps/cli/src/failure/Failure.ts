/**
 * The failures of this program itself, as opposed to those of the client and of exports: one error with a tagged `reason`.
 *
 * A reason is plain data and holds no API key. `UsageError` is found before any request. `NotComplete`, `UnknownIds`, `AuditFindings`,
 * `NothingFound`, `NotVerified`, `NotSynced` and `ChangesFound` occur after the work is done and its result was printed: they add an exit code that
 * a script cannot overlook.
 */
import * as Data from "effect/Data"
import { count, firstOf } from "../terminal/Figures.ts"

/** A flag, an argument, a variable or a key file is wrong. `problem` has no full stop, `advice` is a sentence. */
interface UsageError {
  readonly _tag: "UsageError"
  readonly problem: string
  readonly advice: string | null
}

/** The file of profiles, the file of plaintext keys or the keychain cannot be used. */
export interface StoreError {
  readonly _tag: "StoreError"
  /** `broken`: the store can be read, but its content is invalid. `failed`: the store could not be read or written. */
  readonly kind: "broken" | "failed"
  /** The file; null for the keychain. */
  readonly path: string | null
  readonly problem: string
  readonly advice: string
}

/** The result is not known to be everything that was asked for (Spec: Resources; Endpoints 5, 6). */
interface NotComplete {
  readonly _tag: "NotComplete"
  /** Records that were rejected because they are not as specified. */
  readonly records: number
  /** Records that are in the result without the data payload that was asked for. */
  readonly withoutData: number
  /** The file of rejected records; null if there is none. */
  readonly path: string | null
  /** Why the list is not known to be complete, in sentences. By default it is complete, or the command makes no statement about it. */
  readonly reasons?: ReadonlyArray<string>
  /** The problems of the records, by path and type, never by value. */
  readonly problems: ReadonlyArray<string>
}

/** Some of the requested ids do not exist. The other records were printed. */
interface UnknownIds {
  readonly _tag: "UnknownIds"
  /** The kind of records that the ids identify, such as `contract`. */
  readonly what: string
  readonly ids: ReadonlyArray<number>
  /** How many of the other records were found. */
  readonly found: number
}

/** An audit with `--fail-on-findings` has findings. */
interface AuditFindings {
  readonly _tag: "AuditFindings"
  readonly findings: number
}

/** A problem of an exported file. */
export interface Problem {
  /** The path of the file, as it was given. */
  readonly path: string
  /** One line of clean text, with its full stop. */
  readonly problem: string
  readonly exitCode: number
}

/** A check of exported files found something wrong. Every file was checked. */
interface NotVerified {
  readonly _tag: "NotVerified"
  /** At least one, by file. */
  readonly problems: ReadonlyArray<Problem>
  /** The exit code of the worst problem. */
  readonly exitCode: number
}

/** The mirror cannot be opened, read or written. Every account that was synced before is stored. */
interface MirrorFailed {
  readonly _tag: "MirrorFailed"
  /** The tag of the mirror's own reason. */
  readonly kind: string
  /** What happened and what to do, in sentences. */
  readonly problem: string
  readonly exitCode: number
}

/** A problem of an account of a mirror. */
export interface AccountProblem {
  readonly account: string
  /** In sentences of clean text. */
  readonly problem: string
  readonly exitCode: number
}

/** Some accounts of a mirror failed, are not complete or are too old. All others were synced, or are fine. */
interface NotSynced {
  readonly _tag: "NotSynced"
  /** By account; empty if the mirror has no accounts. */
  readonly problems: ReadonlyArray<AccountProblem>
  /** How many accounts there are. */
  readonly accounts: number
  /** Whether the problems were already printed. */
  readonly isTold: boolean
}

/** No record was found, and `--fail-on-empty` is set. */
interface NothingFound {
  readonly _tag: "NothingFound"
}

/** A mirror has changes, and `--fail-on-changes` is set. */
interface ChangesFound {
  readonly _tag: "ChangesFound"
  readonly changes: number
}

export type Reason =
  | UsageError
  | StoreError
  | NotComplete
  | UnknownIds
  | AuditFindings
  | NothingFound
  | NotVerified
  | MirrorFailed
  | NotSynced
  | ChangesFound

const mostIds = 10

const notCompleteText = ({ path, problems, reasons = [], records, withoutData }: NotComplete): string => {
  const why = problems.length === 0 ? "" : ` (${problems.slice(0, 3).join("; ")})`
  const where = path === null ? "" : ` and saved in ${path} with reasons`
  return [
    ...(records === 0
      ? []
      : [`${count(records, "record is", "records are")} not as specified: rejected${where}${why}.`]),
    ...(withoutData === 0
      ? []
      : [`${count(withoutData, "record has", "records have")} no data payload: the service returned none.`]),
    ...(reasons.length === 0
      ? ["All other records are included."]
      : ["Completeness is not verified.", ...reasons]),
  ].join(" ")
}

const unknownIdsText = ({ found, ids, what }: UnknownIds): string => {
  return `There is no ${what} with the id ${firstOf(ids, mostIds)}.${found > 0 ? " All others were found." : ""}`
}

const messageOf = (reason: Reason): string => {
  switch (reason._tag) {
    case "UsageError":
    case "StoreError":
      return reason.advice === null ? `${reason.problem}.` : `${reason.problem}. ${reason.advice}`
    case "NotComplete":
      return notCompleteText(reason)
    case "UnknownIds":
      return unknownIdsText(reason)
    case "AuditFindings":
      return `The audit has ${count(reason.findings, "finding", "findings")}.`
    case "NothingFound":
      return "No record was found, and --fail-on-empty is set."
    case "NotVerified":
      return reason.problems.map(({ problem }) => problem).join("\n")
    case "MirrorFailed":
      return reason.problem
    case "NotSynced":
      if (reason.accounts === 0) return "The mirror has no accounts."
      return [
        ...(reason.isTold ? [] : reason.problems.map(({ account, problem }) => `${account}: ${problem}`)),
        `${reason.problems.length} of ${count(reason.accounts, "account", "accounts")} ${reason.problems.length === 1 ? "needs" : "need"} attention.`,
      ].join("\n")
    case "ChangesFound":
      return `There ${reason.changes === 1 ? "is" : "are"} ${count(reason.changes, "change", "changes")}.`
  }
}

/** The members of a reason that an error document has in addition to its message. */
const membersOf = (reason: Reason): object => {
  switch (reason._tag) {
    case "UsageError":
    case "NothingFound":
      return {}
    case "StoreError":
      return { kind: reason.kind, path: reason.path }
    case "NotComplete": {
      const { path, problems, reasons = [], records, withoutData } = reason
      return { records, withoutData, path, problems, reasons }
    }
    case "UnknownIds":
      return { ids: reason.ids }
    case "AuditFindings":
      return { findings: reason.findings }
    case "NotVerified":
      return { problems: reason.problems }
    case "MirrorFailed":
      return { kind: reason.kind }
    case "NotSynced":
      return { problems: reason.problems, accounts: reason.accounts }
    case "ChangesFound":
      return { changes: reason.changes }
  }
}

/** One of this program's own failures. */
export class Failure extends Data.TaggedError("Failure")<{ readonly reason: Reason }> {
  /** What happened and what to do. `NotVerified` has one line for each problem. */
  override get message(): string {
    return messageOf(this.reason)
  }

  override toJSON(): object {
    return { error: this.reason._tag, message: this.message, ...membersOf(this.reason) }
  }
}

/** Makes the failure of a wrong flag, argument or setting. `problem` comes without a full stop, `advice` with one. */
export const usageError = (problem: string, advice: string | null = null): Failure =>
  new Failure({ reason: { _tag: "UsageError", problem, advice } })

/** Makes the failure of a store. */
export const storeError = (fields: Omit<StoreError, "_tag">): Failure =>
  new Failure({ reason: { _tag: "StoreError", ...fields } })

/** The code of a system error, such as `ENOENT`. */
export const codeOf = (cause: unknown): string => {
  const { code = "no code", message } = cause as NodeJS.ErrnoException
  return code === "NOT_OWN" ? message : code
}
