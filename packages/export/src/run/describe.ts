/** The manifest of a run at any moment, from its jobs, outputs and sidecars. */
import { basename } from "node:path"
import type { Caller } from "../proof/Account.ts"
import type { Job } from "./Job.ts"
import type { LongTexts } from "../write/LongTexts.ts"
import type { Manifest } from "../proof/Manifest.ts"
import type { Findings } from "../proof/Verdict.ts"
import { evidenceOf, judge } from "../proof/Verdict.ts"
import type { Output } from "./Output.ts"
import type { RejectedRecords } from "./RejectedRecords.ts"
import type { RunOptions } from "./RunOptions.ts"
import type { Sidecar } from "../file/Sidecar.ts"
import type { UndocumentedMembers } from "../write/UndocumentedMembers.ts"

export interface RunParts {
  readonly options: Pick<RunOptions<never, never>, "madeBy" | "mirror" | "newValues" | "timeZone">
  readonly jobs: ReadonlyArray<Job<unknown, unknown>>
  readonly outputs: ReadonlyArray<Output>
  readonly rejected: RejectedRecords
  /** The file of the rejected records; null if the target is not a file. */
  readonly rejectedFile: Sidecar | null
  /** The texts that are too long for a cell, and their file; null if the target is not a file. */
  readonly longTexts: { readonly texts: LongTexts; readonly file: Sidecar } | null
  /** By table; a table is in it from its first page on. */
  readonly members: ReadonlyMap<string, Pick<UndocumentedMembers<never>, "summary">>
  readonly startedAt: string
  readonly isResumed: boolean
  /** The account as far as it is known, without its key. */
  readonly caller: () => Caller
}

/** The distinct values of all jobs, joined by spaces. */
const distinct = (
  { jobs }: Pick<RunParts, "jobs">,
  of: (progress: ReturnType<Job<unknown, unknown>["progress"]>) => string | null,
): string => [...new Set(jobs.flatMap(({ progress }) => of(progress()) ?? []))].join(" ")

/** Where the records are from, and whose key it was; known from the first page on. */
export const sourceOf = (parts: Pick<RunParts, "jobs" | "caller">): Pick<Manifest, "origin" | "account"> => {
  const { profile, ...rest } = parts.caller()
  // The records of a mirror may have been read with several keys, and do not name a key.
  const keyFingerprint = distinct(parts, (progress) => progress.keyFingerprint) || null
  return { origin: distinct(parts, ({ origin }) => origin), account: { profile, keyFingerprint, ...rest } }
}

/** The findings of one job. */
interface JobFindings extends Pick<Findings, "readings"> {
  readonly evidence: ReadonlyArray<string>
  readonly reasons: NonNullable<Findings["reasons"]>
  readonly withoutData: number
}

/** What is known about the list of a job. */
export const findingsOf = ({
  progress,
  stored,
}: Pick<Job<unknown, unknown>, "progress" | "stored">): JobFindings => {
  const { reading, withoutData } = progress()
  const readings = reading === null ? [] : [reading]
  return {
    readings,
    evidence: stored?.evidence ?? readings.flatMap(evidenceOf),
    withoutData: withoutData ?? 0,
    reasons: stored?.reasons ?? { unverified: [], partial: [] },
  }
}

const besides = (file: Sidecar) => ({ name: basename(file.path), ...file.content() })

/** The manifest. `failure` says why the run did not finish; null when it did. */
export const describe = (parts: RunParts, failure: string | null, endedAt: string): Manifest => {
  const { isResumed, jobs, longTexts, members, options, outputs, rejected, rejectedFile, startedAt } = parts
  const set = rejected.summary()
  const found = jobs.map(findingsOf)
  const verdict = judge({
    readings: found.flatMap(({ readings }) => readings),
    evidence: found.flatMap(({ evidence }) => evidence),
    reasons: {
      unverified: found.flatMap(({ reasons }) => reasons.unverified),
      partial: found.flatMap(({ reasons }) => reasons.partial),
    },
    rejected: set?.records ?? 0,
    withoutData: found.reduce((sum, { withoutData }) => sum + withoutData, 0),
    failure,
  })
  return {
    version: 1,
    ...verdict,
    madeBy: options.madeBy ?? "@deedkit/export",
    startedAt,
    endedAt,
    isResumed,
    ...sourceOf(parts),
    ...(options.mirror === undefined
      ? {}
      : { mirror: { account: options.mirror.account, asOf: options.mirror.asOf } }),
    timeZone: options.timeZone ?? "UTC",
    tables: jobs.flatMap(({ filters, progress, stored, table }) => {
      const { rows, reading, withoutData } = progress()
      const { columns, name, title } = table
      const lacking = withoutData === null ? {} : { withoutData }
      const read = stored === null ? {} : { stored: { run: stored.run, sha256: stored.sha256 } }
      const undocumented = members.get(name)?.summary() ?? { included: [], excluded: [] }
      return reading === null
        ? []
        : [{ table: name, title, columns, filters, rows, ...lacking, undocumented, ...read, reading }]
    }),
    files: failure === null ? outputs.flatMap((output) => output.files()) : [],
    rejected:
      set === null || rejectedFile === null
        ? null
        : { ...besides(rejectedFile), records: set.records, members: set.members },
    longTexts:
      longTexts === null || longTexts.texts.count === 0
        ? null
        : { ...besides(longTexts.file), texts: longTexts.texts.count },
    textsChanged: Object.fromEntries(
      outputs
        .filter(({ textsChanged }) => Object.keys(textsChanged).length > 0)
        .map(({ textsChanged, writer }) => [writer.format.name, textsChanged]),
    ),
    newValues: options.newValues?.() ?? [],
  }
}
