/** The options of a run, those that a resumed run must share with the earlier run, and the result. */
import type { Writable } from "node:stream"
import type * as Effect from "effect/Effect"
import type { Caller } from "../proof/Account.ts"
import type { Headings } from "../table/Column.ts"
import type { Cover } from "../write/Cover.ts"
import type { DerivedTable } from "../write/DerivedTable.ts"
import type { Job } from "./Job.ts"
import type { Manifest } from "../proof/Manifest.ts"
import type { MirrorSource } from "../proof/Manifest.ts"
import type { FileState, OutputSpec } from "./Output.ts"
import type { RejectionLimits } from "./RejectedRecords.ts"
import type { RejectedSummary } from "./RejectedRecords.ts"

export interface RunOptions<E, R> {
  /** The tables, read one after the other. At least one. */
  readonly jobs: ReadonlyArray<Job<E, R>>
  /** The formats; one read fills them all. At least one. */
  readonly outputs: ReadonlyArray<OutputSpec>
  /** Whether to make a few more requests that show that nothing is missing. Default true; without them, lists of several pages are `unverified`. */
  readonly prove?: boolean | undefined
  /** Tables that are derived from the records of the jobs, written after them. Default: none. */
  readonly derived?: ReadonlyArray<DerivedTable> | undefined
  /** Makes the cover of files whose format has one, once all tables are written. Default: no cover. */
  readonly cover?: ((soFar: Manifest) => Cover) | undefined
  /** Adds a table about the export itself, which readers see first. Default false. */
  readonly summary?: boolean | undefined
  /** Whether existing files may be replaced. Default false. */
  readonly overwrite?: boolean | undefined
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** The zone that the tables' timestamps are in, for the manifest. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** How many records may be rejected before the run stops. Default: 100, and 5 % of all records after 20 were read. */
  readonly rejectionLimits?: Partial<RejectionLimits> | undefined
  /** Resumes an interrupted run to the same first file, if there is one. Columns, filters and formats may be others. Default false: its pages are discarded. */
  readonly resume?: boolean | undefined
  /** Whether to save the pages while the run lasts, and to write a manifest beside each file. Default true. */
  readonly keepsRecords?: boolean | undefined
  /** Whether a run that failed with this error is worth resuming; if not, its pages are discarded. Default: always. */
  readonly isWorthResuming?: ((error: unknown) => boolean) | undefined
  /** Called with the record file of a run that did not finish and can be resumed. */
  readonly onLeftover?: ((left: { readonly path: string; readonly pages: number }) => void) | undefined
  /** Called with the state of each regular file when a run fails or is interrupted after its targets were checked. */
  readonly onFailure?: ((files: ReadonlyArray<FileState>) => void) | undefined
  /**
   * The mirror that the records are from, and when its reads of them began and ended, ISO 8601 UTC. Files and manifest give these as the times of
   * the run. Two runs for the same reads then write the same bytes. Default: the service is read, now.
   */
  readonly mirror?: (MirrorSource & { readonly startedAt: string; readonly endedAt: string }) | undefined
  /** The creation time in the files, ISO 8601 UTC. Default: the start of the run. */
  readonly createdAt?: string | undefined
  /** The program's name in the manifest, such as `deedkit 1.2.0`. */
  readonly madeBy?: string | undefined
  /** The account that the records belong to. Runs once at the start of a run, and never fails. Default: not requested. */
  readonly caller?: Effect.Effect<Caller, never, R> | undefined
  /** Members and values that the specification does not name, seen so far. */
  readonly newValues?: (() => ReadonlyArray<string>) | undefined
  /** Removes secrets from names that come from the service, before they go into the manifest. Default: nothing is removed. */
  readonly redact?: ((text: string) => string) | undefined
  /** The stream that `-` names. Default: the process's standard output. It is not ended. */
  readonly stdout?: Writable | undefined
}

/**
 * What a run must have in common with the run that it resumes, by the words with which an error names the difference: which lists are read, and
 * how. Files may be others.
 */
export const identityOf = <E, R>({ jobs, mirror, prove = true }: RunOptions<E, R>) => ({
  "list of tables": jobs.map(({ table }) => table.name).join(" "),
  "choices of data payloads": jobs.map((job) => String(job.progress().withoutData !== null)).join(" "),
  "ways to read": prove ? "with proof" : "once",
  // The record file of a killed run from a mirror names the mirror's window, and does not belong to a read of the service.
  ...(mirror === undefined ? {} : { sources: "a mirror" }),
})

/** The result of a finished run. */
export interface ExportResult {
  readonly manifest: Manifest
  /** The files that hold the tables, with symbolic links resolved; null for standard output and other targets that are not files. */
  readonly paths: ReadonlyArray<string | null>
  readonly rejected: RejectedSummary | null
  readonly longTexts: { readonly path: string; readonly texts: number } | null
  readonly manifestPath: string | null
}
