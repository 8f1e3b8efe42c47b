/**
 * What an export says of itself, as a value: what was asked for, what came, which files hold it, and whether it is all of it. It holds no
 * record, no key, and no value of a record; of the account what the caller is told about itself.
 */
import { Json } from "@deedkit/core"
import type { ReadSummary } from "@deedkit/core"
import type { Account } from "./Account.ts"
import type { RejectedMember } from "../error/ExportError.ts"
import type { Undocumented } from "../write/UndocumentedMembers.ts"
import type { Verdict } from "./Verdict.ts"

export interface ManifestTable {
  readonly table: string
  readonly title: string
  readonly columns: ReadonlyArray<string>
  /** As they were given, such as `status=active`. */
  readonly filters: ReadonlyArray<string>
  /** Rows written: records less those that the filters left out. */
  readonly rows: number
  /**
   * Records of the read without the data payload that was asked for: the service did not know them any more by then. Absent where none was
   * asked for.
   */
  readonly withoutData?: number
  /** Members that the specification does not name, by path, at most 200 of each table. */
  readonly undocumented: Undocumented
  readonly reading: ReadSummary
}

export interface ManifestFile {
  /** The file's name, without its folder. */
  readonly name: string
  readonly format: string
  /** Rows of each table in it, headings not counted. */
  readonly tables: { readonly [table: string]: number }
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** A file beside the tables' own. */
export interface ManifestSidecar {
  /** Without its folder. */
  readonly name: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface Manifest {
  /** Form of this value. */
  readonly version: 1
  readonly verdict: Verdict
  /** Why it is not `complete`, in sentences. */
  readonly reasons: ReadonlyArray<string>
  /** What shows of a list that it is complete, in sentences. */
  readonly evidence: ReadonlyArray<string>
  /** The program that made it, such as `deedkit 1.2.0`. */
  readonly madeBy: string
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly endedAt: string
  /** Whether it was made in several goes. */
  readonly isResumed: boolean
  /** Where the records are from. */
  readonly origin: string
  /** Whose they are. Manifests of earlier versions do not say. */
  readonly account: Account
  /** The zone of the timestamps in the files, `UTC` or a name such as `Europe/Athens`. */
  readonly timeZone: string
  readonly tables: ReadonlyArray<ManifestTable>
  readonly files: ReadonlyArray<ManifestFile>
  /** Records that are not as specified, in a file of their own; null when there was none. */
  readonly rejected:
    | (ManifestSidecar & { readonly records: number; readonly members: ReadonlyArray<RejectedMember> })
    | null
  /** Texts that are too long for a cell, in a file of their own; null when there was none. */
  readonly longTexts: (ManifestSidecar & { readonly texts: number }) | null
  /** Cells whose text a format could not hold as it came, by format and column. */
  readonly textsChanged: { readonly [format: string]: { readonly [column: string]: number } }
  /** Members and values that the specification does not name, by path. */
  readonly newValues: ReadonlyArray<string>
  /**
   * The manifest that stood in this one's place before, by the SHA-256 of its bytes, hexadecimal; null where there was none. Who keeps all
   * manifests can see that none is missing.
   */
  readonly previous: { readonly sha256: string } | null
}

/** Where the manifest of a file stands. */
export const pathOf = (path: string): string => `${path}.manifest.json`

/** Where it stands as long as there is no whole file. */
export const interruptedPathOf = (path: string): string => `${path}.interrupted.json`

const isText = (value: Json.Json | undefined): boolean => typeof value === "string"

const isEach = (
  value: Json.Json | undefined,
  test: (member: { readonly [member: string]: Json.Json }) => boolean,
): boolean => Array.isArray(value) && value.every((member) => Json.isObject(member) && test(member))

/** Whether a value, such as one from a file, has the form of a manifest as far as a check of files, and what is said of it, needs it. */
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
