/**
 * What a run's files say about themselves, in formats that can hold it: document properties and the line on printed pages. It is the same in every
 * run with the same key and the same moment, so that a resumed run writes the bytes of an uninterrupted one.
 */
import * as Account from "../proof/Account.ts"
import { judge } from "../proof/Verdict.ts"
import type { FileDocument, FileProperties } from "../write/TableWriter.ts"
import type { RunParts } from "./describe.ts"
import { findingsOf, sourceOf } from "./describe.ts"
import type { Job } from "./Job.ts"

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
export const properties = (source: Source): FileProperties => {
  const { account, origin } = sourceOf(source)
  return {
    Source: origin,
    ...(account.profile === null ? {} : { Profile: Account.clean(account.profile) }),
    ...(account.keyFingerprint === null ? {} : { "Key fingerprint": account.keyFingerprint }),
  }
}

/** `Contracts and API keys of office`. */
export const document = (source: Source, madeBy: string, createdAt: string): FileDocument => ({
  title: `${source.jobs.map(({ table }) => table.title).join(" and ")} of ${ownerOf(source)}`,
  madeBy,
  createdAt,
})

const readFrom = (source: Source, createdAt: string): string =>
  `${ownerOf(source)} · read from ${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`

/** `office · read from 2026-03-01 09:30 UTC · complete`: the verdict is that of this list alone; other lists can have another one. */
export const note = (
  source: Source,
  job: Job<unknown, unknown>,
  createdAt: string,
  rejected: number,
): string => {
  const { reading } = job.progress()
  const { verdict } = judge({ ...findingsOf(job), rejected, failure: null })
  // A sheet that is full ends before its list does.
  const state = reading?.complete === true ? verdict : "continued on the next sheet"
  return `${readFrom(source, createdAt)} · ${state}`
}

/** The note of tables that are derived from others. */
export const derivedNote = (source: Source, createdAt: string): string =>
  `${readFrom(source, createdAt)} · verdict on the first sheet`
