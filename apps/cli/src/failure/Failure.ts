/**
 * The failures of this program itself, as opposed to those of the client and of exports: one error with a tagged `reason`.
 *
 * A reason is plain data and holds no API key. `UsageError` is found before any request. `NotComplete`, `UnknownIds`, `AuditFindings`,
 * `NothingFound`, `NotVerified`, `NotSynced` and `ChangesFound` occur after the work is done and its result was printed: they add an exit code that
 * a script cannot overlook.
 */
import * as Data from "effect/Data"
import { count, firstOf } from "../terminal/Figures.ts"

/** The exit code of a failure, by its name in `ExitCode.ts`. */
export type ExitName =
  | "usage"
  | "notFound"
  | "authentication"
  | "permission"
  | "rateLimited"
  | "network"
  | "notAsSpecified"
  | "notComplete"
  | "local"
  | "pagination"
  | "findings"

/** A problem of an exported file. */
export interface Problem {
  /** The path of the file, as it was given. */
  readonly path: string
  /** One line of clean text, with its full stop. */
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

/** What each reason holds. */
interface Fields {
  /** A flag, an argument, a variable or a key file is wrong. `problem` has no full stop, `advice` is a sentence. */
  readonly UsageError: { readonly problem: string; readonly advice: string | null }
  /** The file of profiles, the file of plaintext keys or the keychain cannot be used. */
  readonly StoreError: {
    /** `broken`: the store can be read, but its content is invalid. `failed`: the store could not be read or written. */
    readonly kind: "broken" | "failed"
    /** The file; null for the keychain. */
    readonly path: string | null
    readonly problem: string
    readonly advice: string
  }
  /** The result is not known to be everything that was asked for (Spec: Resources; Endpoints 5, 6). */
  readonly NotComplete: {
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
  /** Some of the requested ids do not exist. `what` is the kind of their records, such as `contract`; `found` other records were printed. */
  readonly UnknownIds: {
    readonly what: string
    readonly ids: ReadonlyArray<number>
    readonly found: number
  }
  /** An audit with `--fail-on-findings` has findings. */
  readonly AuditFindings: { readonly findings: number }
  /** No record was found, and `--fail-on-empty` is set. */
  readonly NothingFound: {}
  /** A check of exported files found something wrong: at least one problem, by file, and the exit code of the worst. Every file was checked. */
  readonly NotVerified: { readonly problems: ReadonlyArray<Problem>; readonly exitCode: number }
  /**
   * The mirror cannot be opened, read or written: `kind` is the tag of its own reason, `problem` says in sentences what happened and what to do. Every
   * account that was synced before is stored.
   */
  readonly MirrorFailed: {
    readonly kind: string
    readonly problem: string
    readonly exitCode: number
  }
  /** Some accounts of a mirror failed, are not complete or are too old. All others were synced, or are fine. */
  readonly NotSynced: {
    /** By account; empty if the mirror has no accounts. */
    readonly problems: ReadonlyArray<AccountProblem>
    /** How many accounts there are. */
    readonly accounts: number
    /** Whether the problems were already printed. */
    readonly isTold: boolean
  }
  /** A mirror has changes, and `--fail-on-changes` is set. */
  readonly ChangesFound: { readonly changes: number }
}

export type Reason = {
  readonly [Tag in keyof Fields]: { readonly _tag: Tag } & Fields[Tag]
}[keyof Fields]

const mostIds = 10

const notCompleteText = ({
  path,
  problems,
  reasons = [],
  records,
  withoutData,
}: Fields["NotComplete"]): string => {
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

/** What a reason becomes: the exit code, by its name or as a number; the message; and what an error document has in addition to it. */
interface Told {
  readonly exit: ExitName | number
  readonly message: string
  readonly members?: object
}

const sentences = (problem: string, advice: string | null): string =>
  advice === null ? `${problem}.` : `${problem}. ${advice}`

const kinds: { readonly [Tag in Reason["_tag"]]: (reason: Extract<Reason, { readonly _tag: Tag }>) => Told } =
  {
    UsageError: ({ advice, problem }) => ({ exit: "usage", message: sentences(problem, advice) }),
    StoreError: ({ advice, kind, path, problem }) => ({
      exit: kind === "broken" ? "usage" : "local",
      message: sentences(problem, advice),
      members: { kind, path },
    }),
    NotComplete: (reason) => {
      const { path, problems, reasons = [], records, withoutData } = reason
      const members = { records, withoutData, path, problems, reasons }
      return { exit: "notComplete", message: notCompleteText(reason), members }
    },
    UnknownIds: ({ found, ids, what }) => ({
      exit: "notFound",
      message: `There is no ${what} with the id ${firstOf(ids, mostIds)}.${found > 0 ? " All others were found." : ""}`,
      members: { ids },
    }),
    AuditFindings: ({ findings }) => ({
      exit: "findings",
      message: `The audit has ${count(findings, "finding", "findings")}.`,
      members: { findings },
    }),
    NothingFound: () => ({ exit: "findings", message: "No record was found, and --fail-on-empty is set." }),
    NotVerified: ({ exitCode, problems }) => ({
      exit: exitCode,
      message: problems.map(({ problem }) => problem).join("\n"),
      members: { problems },
    }),
    MirrorFailed: ({ exitCode, kind, problem }) => ({ exit: exitCode, message: problem, members: { kind } }),
    NotSynced: ({ accounts, isTold, problems }) => {
      // Accounts with different exit codes share one: the mirror is not complete.
      const [first = "notComplete" as const, ...others] = new Set(problems.map(({ exitCode }) => exitCode))
      const told = isTold ? [] : problems.map(({ account, problem }) => `${account}: ${problem}`)
      const needs = problems.length === 1 ? "needs" : "need"
      const all = `${problems.length} of ${count(accounts, "account", "accounts")} ${needs} attention.`
      return {
        exit: others.length > 0 ? "notComplete" : first,
        message: accounts === 0 ? "The mirror has no accounts." : [...told, all].join("\n"),
        members: { problems, accounts },
      }
    },
    ChangesFound: ({ changes }) => ({
      exit: "findings",
      message: `There ${changes === 1 ? "is" : "are"} ${count(changes, "change", "changes")}.`,
      members: { changes },
    }),
  }

const told = (reason: Reason): Told => (kinds[reason._tag] as (reason: Reason) => Told)(reason)

/** One of this program's own failures. */
export class Failure extends Data.TaggedError("Failure")<{ readonly reason: Reason }> {
  /** What happened and what to do. `NotVerified` has one line for each problem. */
  override get message(): string {
    return told(this.reason).message
  }

  /** The exit code, by its name or as a number. */
  get exit(): ExitName | number {
    return told(this.reason).exit
  }

  override toJSON(): object {
    const { members, message } = told(this.reason)
    return { error: this.reason._tag, message, ...members }
  }
}

/** Makes the failure of a wrong flag, argument or setting. `problem` comes without a full stop, `advice` with one. */
export const usageError = (problem: string, advice: string | null = null): Failure =>
  new Failure({ reason: { _tag: "UsageError", problem, advice } })

/** Makes the failure of a store. */
export const storeError = (fields: Fields["StoreError"]): Failure =>
  new Failure({ reason: { _tag: "StoreError", ...fields } })

/** What to do about settings that cannot be saved, as in a container. */
export const readOnlySettings =
  "Its file system is mounted read-only: name another folder in XDG_CONFIG_HOME, or set DEEDKIT_BASE_URL and DEEDKIT_API_KEY."

/** The code of a system error, such as `ENOENT`. */
export const codeOf = (cause: unknown): string => {
  const { code = "no code", message } = cause as NodeJS.ErrnoException
  return code === "NOT_OWN" ? message : code
}

/** Why a path could not be written: the code, or words where few people know it. `advice` is added where the disk takes nothing at all. */
export const whyNotWritten = (cause: unknown, advice: string | null = null): string => {
  const { code, problem } = cause as NodeJS.ErrnoException & { readonly problem?: string }
  if (code === "EROFS") return `its file system is mounted read-only${advice === null ? "" : `; ${advice}`}`
  return code === "NOT_OWN" ? `it ${problem}` : codeOf(cause)
}
