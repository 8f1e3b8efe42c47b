/**
 * The manifest of an export: what was requested, what was received, which files hold it, and whether it is complete. It holds no record, no value
 * of a record and no key; about the account it holds what the service says about the caller.
 */
import { Json } from "@deedkit/core"
import type { ReadSummary } from "@deedkit/core"
import type { RejectedMember } from "../error/ExportError.ts"
import type { Undocumented } from "../write/UndocumentedMembers.ts"
import type { Account } from "./Account.ts"
import type { Findings, Verdict } from "./Verdict.ts"

export interface MirrorSource {
  /** The name of the account in the mirror. */
  readonly account: string
  /** The requested moment, ISO 8601 UTC; null for the last finished read. */
  readonly asOf: string | null
}

/** The read that a list of a mirror is from, and what is known about it besides its summary. */
export interface StoredRead {
  /** Its number in the mirror. */
  readonly run: number
  /** SHA-256 of the mirror's row about it, hexadecimal. */
  readonly sha256: string
  /** Why the list is not known to be complete, besides what its summary says. */
  readonly reasons: NonNullable<Findings["reasons"]>
  /** Whether the mirror's proof shows that the list is complete. */
  readonly isComplete: boolean
}

export interface ManifestTable {
  readonly table: string
  readonly title: string
  /** Whose list it is; absent where the files hold that of one account. Several entries can be of one table then. */
  readonly account?: string
  readonly columns: ReadonlyArray<string>
  /** As given, such as `status=active`. */
  readonly filters: ReadonlyArray<string>
  /** Rows written: records that pass the filters. */
  readonly rows: number
  /**
   * Records of the read without the data payload that was requested, because the service no longer knew them. Absent if none was requested.
   */
  readonly withoutData?: number
  /** Members that the specification does not name, by path, at most 200 of each table. */
  readonly undocumented: Undocumented
  /**
   * The mirror's read that the records are from; absent where the service was read. `reading` then holds what the mirror keeps of it: window,
   * cursor, completeness, pages, requests, valid and rejected records. Its other counts are 0.
   */
  readonly stored?: Pick<StoredRead, "run" | "sha256">
  readonly reading: ReadSummary
}

/** A sidecar: a file beside those of the tables. */
export interface ManifestSidecar {
  /** The file's name, without its folder. */
  readonly name: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface ManifestFile extends ManifestSidecar {
  readonly format: string
  /** Rows of each table in it, headings not counted. */
  readonly tables: { readonly [table: string]: number }
}

export interface Manifest {
  readonly version: 1
  readonly verdict: Verdict
  /** Why it is not `complete`, in sentences. */
  readonly reasons: ReadonlyArray<string>
  /** Evidence that a list is complete, in sentences. */
  readonly evidence: ReadonlyArray<string>
  /** The program that made it, such as `deedkit 1.2.0`. */
  readonly madeBy: string
  /** ISO 8601 UTC. For records from a mirror: when the mirror's reads of them began and ended. */
  readonly startedAt: string
  readonly endedAt: string
  /** Whether the run was interrupted and resumed. */
  readonly isResumed: boolean
  readonly origin: string
  /** The mirror that held them. Absent if they were read from the service. */
  readonly mirror?: MirrorSource
  readonly account: Account
  /** The zone of the timestamps in the files, `UTC` or a name such as `Europe/Athens`. */
  readonly timeZone: string
  readonly tables: ReadonlyArray<ManifestTable>
  readonly files: ReadonlyArray<ManifestFile>
  /** The file of rejected records, which are not as specified; null when there was none. */
  readonly rejected:
    | (ManifestSidecar & { readonly records: number; readonly members: ReadonlyArray<RejectedMember> })
    | null
  /** The file of texts that are too long for a cell; null when there was none. */
  readonly longTexts: (ManifestSidecar & { readonly texts: number }) | null
  /** Number of cells whose text a format could not hold unchanged, by format and column. */
  readonly textsChanged: { readonly [format: string]: { readonly [column: string]: number } }
  /** Members and values that the specification does not name, by path. */
  readonly newValues: ReadonlyArray<string>
}

export const pathOf = (path: string): string => `${path}.manifest.json`

export const interruptedPathOf = (path: string): string => `${path}.interrupted.json`

const isText = (value: Json.Json | undefined): boolean => typeof value === "string"

const isEach = (
  value: Json.Json | undefined,
  test: (member: { readonly [member: string]: Json.Json }) => boolean,
): boolean => Array.isArray(value) && value.every((member) => Json.isObject(member) && test(member))

/** Whether a value has the members of a manifest that are needed to check its files. Other members are not checked. */
export const isManifest = (value: Json.Json): boolean =>
  Json.isObject(value) &&
  value["version"] === 1 &&
  [value["verdict"], value["origin"], value["startedAt"]].every(isText) &&
  Array.isArray(value["reasons"]) &&
  value["reasons"].every(isText) &&
  isEach(value["tables"], ({ rows, table }) => isText(table) && typeof rows === "number") &&
  isEach(
    value["files"],
    ({ bytes, name, sha256 }) => isText(sha256) && isText(name) && typeof bytes === "number",
  )
