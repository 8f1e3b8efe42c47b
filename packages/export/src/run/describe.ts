/**
 * What a run says about itself: its manifest at any moment, from its jobs, outputs and sidecars, and the properties and notes of its files. The latter are
 * the same in every run with the same key and the same moment, so that a resumed run writes the bytes of an uninterrupted one.
 */
import { basename } from "node:path"
import type { Sidecar } from "./Sidecars.ts"
import type { Caller } from "../proof/Account.ts"
import * as Account from "../proof/Account.ts"
import type { Manifest } from "../proof/Manifest.ts"
import type { Findings } from "../proof/Verdict.ts"
import { evidenceOf, judge } from "../proof/Verdict.ts"
import type { LongTexts } from "../write/Fit.ts"
import type { FileDocument, FileProperties } from "../write/TableWriter.ts"
import type { Job } from "./Job.ts"
import type { Output } from "./Output.ts"
import type { RejectedRecords } from "./RejectedRecords.ts"
import type { RunOptions } from "./RunOptions.ts"

export interface RunParts {
  readonly options: Pick<RunOptions<never, never>, "madeBy" | "mirror" | "timeZone">
  readonly jobs: ReadonlyArray<Job<unknown, unknown>>
  readonly outputs: ReadonlyArray<Output>
  readonly rejected: RejectedRecords
  /** The file of the rejected records; null if the target is not a file. */
  readonly rejectedFile: Sidecar | null
  /** The texts that are too long for a cell, and their file; null if the target is not a file. */
  readonly longTexts: { readonly texts: LongTexts; readonly file: Sidecar } | null
  readonly startedAt: string
  readonly isResumed: boolean
  /** Members and values that the specification does not name, seen so far, sorted. */
  readonly newValues: () => ReadonlyArray<string>
  /** The account as far as it is known, without its key. */
  readonly caller: () => Caller
}

/** The distinct values of all jobs, joined by spaces. */
const distinct = (
  { jobs }: Pick<RunParts, "jobs">,
  of: (progress: ReturnType<Job<unknown, unknown>["progress"]>) => string | null,
): string => [...new Set(jobs.flatMap(({ progress }) => of(progress()) ?? []))].join(" ")

/** Where the records are from, and whose key it was; known from the first page on. */
const sourceOf = (parts: Pick<RunParts, "jobs" | "caller">): Pick<Manifest, "origin" | "account"> => {
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
const findingsOf = ({
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
  const { isResumed, jobs, longTexts, options, outputs, rejected, rejectedFile, startedAt } = parts
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
      const { reading, rows, undocumented, withoutData } = progress()
      const { columns, name, title } = table
      const lacking = withoutData === null ? {} : { withoutData }
      const read = stored === null ? {} : { stored: { run: stored.run, sha256: stored.sha256 } }
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
    newValues: parts.newValues(),
  }
}

type Source = Pick<RunParts, "caller" | "jobs"> & {
  readonly options: Pick<RunParts["options"], "mirror">
}

/** The account in the mirror, the profile whose key it was, or the service. */
const ownerOf = (source: Source): string => {
  const { account, origin } = sourceOf(source)
  return Account.clean(
    source.options.mirror?.account ?? account.profile ?? origin.replace(/^https?:\/\//, ""),
  )
}

/** Where the records are from, and whose key was used, but nothing that the service says about a person. */
export const propertiesOf = (source: Source): FileProperties => {
  const { account, origin } = sourceOf(source)
  return {
    Source: origin,
    ...(account.profile === null ? {} : { Profile: Account.clean(account.profile) }),
    ...(account.keyFingerprint === null ? {} : { "Key fingerprint": account.keyFingerprint }),
  }
}

/** `Contracts and API keys of office`. */
export const documentOf = (source: Source, madeBy: string, createdAt: string): FileDocument => ({
  title: `${source.jobs.map(({ table }) => table.title).join(" and ")} of ${ownerOf(source)}`,
  madeBy,
  createdAt,
})

const readFrom = (source: Source, createdAt: string): string =>
  `${ownerOf(source)} · read from ${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`

/** `office · read from 2026-03-01 09:30 UTC · complete`: the verdict is that of this list alone; other lists can have another one. */
export const noteOf = (source: Source, job: Job<unknown, unknown>, createdAt: string): string => {
  const { reading, rejected } = job.progress()
  const { verdict } = judge({ ...findingsOf(job), rejected, failure: null })
  // A sheet that is full ends before its list does.
  const state = reading?.complete === true ? verdict : "continued on the next sheet"
  return `${readFrom(source, createdAt)} · ${state}`
}

/** The note of tables that are derived from others. */
export const derivedNote = (source: Source, createdAt: string): string =>
  `${readFrom(source, createdAt)} · verdict on the first sheet`
