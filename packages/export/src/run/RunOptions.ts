/** What a run of an export is told, and what it tells in the end. Every default is stated here. */
import type { Writable } from "node:stream"
import type * as Effect from "effect/Effect"
import type { Caller } from "../proof/Account.ts"
import type { Headings } from "../table/Column.ts"
import type { Job } from "./Job.ts"
import type { Manifest } from "../proof/Manifest.ts"
import type { FileState, OutputSpec } from "./Output.ts"
import type { RejectionLimits } from "./RejectionLimit.ts"
import type { RejectedSummary } from "./RejectedRecords.ts"
import type { Signer } from "../proof/Signature.ts"

export interface RunOptions<E, R> {
  /** The tables, read one after the other. At least one. */
  readonly jobs: ReadonlyArray<Job<E, R>>
  /** The formats; one read fills them all. At least one. */
  readonly outputs: ReadonlyArray<OutputSpec>
  /** Whether to show that nothing is missing, by a few more requests. Default true; without, lists of several pages are `unverified`. */
  readonly prove?: boolean | undefined
  /** Adds a table about the export itself, which readers see first. Default false. */
  readonly summary?: boolean | undefined
  /** Whether existing files may be replaced. Default false. */
  readonly overwrite?: boolean | undefined
  /** Default `labels`. */
  readonly headings?: Headings | undefined
  /** The zone that the tables' timestamps are in, for the manifest. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** How many records may be set aside. Default: 100, and from 20 records on 5 % of all. */
  readonly rejectionLimits?: Partial<RejectionLimits> | undefined
  /** Goes on with a run of the same options that was cut off, if there is one. Default false: what it left is dropped. */
  readonly resume?: boolean | undefined
  /** Whether to keep what is needed to go on, and to write a manifest, besidecars. Default true. */
  readonly keepsRecords?: boolean | undefined
  /** Whether a run that failed so can be gone on with; where not, nothing is kept. Default: always. */
  readonly isWorthResuming?: ((error: unknown) => boolean) | undefined
  /** Hears of what a run that did not finish leaves to go on with. */
  readonly onLeftover?: ((left: { readonly path: string; readonly pages: number }) => void) | undefined
  /** Hears what became of each regular file of a run that failed or was interrupted after its targets were looked at. */
  readonly onFailure?: ((files: ReadonlyArray<FileState>) => void) | undefined
  /** For the manifest, such as `deedkit 1.2.0`. */
  readonly madeBy?: string | undefined
  /** Signs the manifests; see `Signature`. Default: they are not signed. */
  readonly signer?: Signer | undefined
  /** Whose records they are, asked for once at the start of a run; it never fails. Default: not asked for. */
  readonly caller?: Effect.Effect<Caller, never, R> | undefined
  /** Members and values that the specification does not name, seen up to now. */
  readonly newValues?: (() => ReadonlyArray<string>) | undefined
  /** Takes secrets out of names that are the service's, before they go into the manifest. Default: nothing is taken out. */
  readonly redact?: ((text: string) => string) | undefined
  /** What `-` means. Default: the process's standard output. It is not ended. */
  readonly stdout?: Writable | undefined
}

/** What a finished run did. */
export interface ExportResult {
  readonly manifest: Manifest
  /** The files that hold the tables, symbolic links followed; null for standard output and other things that are no files. */
  readonly paths: ReadonlyArray<string | null>
  readonly rejected: RejectedSummary | null
  readonly longTexts: { readonly path: string; readonly texts: number } | null
  readonly manifestPath: string | null
  /** Whether a signature stands beside each manifest. */
  readonly isSigned: boolean
}
