/**
 * What a run says about itself: its manifest at any moment, what a resumed run has in common with it, and the properties and notes of its files. The
 * latter are the same in every run with the same
 * key and the same moment, so that a resumed run writes the bytes of an uninterrupted one. Pure.
 */
import type { Checkpoint } from "@deedkit/core"
import type { Caller } from "../proof/Account.ts"
import * as Account from "../proof/Account.ts"
import type { Manifest, MirrorSource, StoredRead } from "../proof/Manifest.ts"
import type { Findings } from "../proof/Verdict.ts"
import { evidenceOf, judge } from "../proof/Verdict.ts"
import type { Identity } from "../RecordFile.ts"
import type { Language } from "../Texts.ts"
import { say } from "../Texts.ts"
import type { FileDocument, FileProperties } from "../write/TableWriter.ts"
import { undocumentedOf } from "../write/UndocumentedMembers.ts"

/** What is fixed about a table before it is read. */
export interface TableFacts {
  readonly table: { readonly name: string; readonly title: string; readonly columns: ReadonlyArray<string> }
  readonly filters: ReadonlyArray<string>
  /** Whether more is requested for its records, such as their data payload. */
  readonly isCompleted: boolean
  /** Whose list it is; null where a run has that of one account. */
  readonly account: string | null
  /** The mirror's read that the records are from; null if the service is read. */
  readonly stored: StoredRead | null
}

export interface TableState {
  /** Records that went into the table. */
  readonly rows: number
  /** Records that were read, the rejected ones included. */
  readonly seen: number
  readonly rejected: number
  /** Records for which no more is available, because the service no longer knew them. */
  readonly withoutData: number
  /** The paths of members that the specification does not name. */
  readonly undocumented: ReadonlySet<string>
  /** Null before the first page. */
  readonly checkpoint: Checkpoint | null
}

export const unread: TableState = {
  rows: 0,
  seen: 0,
  rejected: 0,
  withoutData: 0,
  undocumented: new Set(),
  checkpoint: null,
}

interface TableSoFar extends TableFacts {
  readonly state: TableState
}

/** A run at some moment. */
export interface RunSoFar extends Pick<
  Manifest,
  "files" | "isResumed" | "longTexts" | "madeBy" | "newValues" | "rejected" | "startedAt" | "timeZone"
> {
  readonly tables: ReadonlyArray<TableSoFar>
  /** The account as far as it is known, without its key. */
  readonly caller: Caller
  readonly mirror: MirrorSource | undefined
  readonly language: Language
  readonly textsChanged: Manifest["textsChanged"]
  readonly redact: ((text: string) => string) | undefined
}

/**
 * What a run must have in common with the run that it resumes, by the words with which an error names the difference: which lists are read, and
 * how. Files may be others.
 */
export const identityOf = ({
  jobs,
  mirror,
  prove = true,
}: {
  readonly jobs: ReadonlyArray<Pick<TableFacts, "isCompleted" | "table">>
  readonly mirror?: MirrorSource | undefined
  readonly prove?: boolean | undefined
}): Identity => ({
  "list of tables": jobs.map(({ table }) => table.name).join(" "),
  "choices of data payloads": jobs.map(({ isCompleted }) => String(isCompleted)).join(" "),
  "ways to read": prove ? "with proof" : "once",
  // The record file of a killed run from a mirror names the mirror's window, and does not belong to a read of the service.
  ...(mirror === undefined ? {} : { sources: "a mirror" }),
})

/** The distinct values of all tables, joined by spaces. */
const distinct = (tables: RunSoFar["tables"], of: (checkpoint: Checkpoint) => string | null): string =>
  [
    ...new Set(
      tables.flatMap(({ state }) => (state.checkpoint === null ? [] : (of(state.checkpoint) ?? []))),
    ),
  ].join(" ")

/** Where the records are from, and whose key it was; known from the first page on. */
const sourceOf = ({ caller, tables }: RunSoFar): Pick<Manifest, "origin" | "account"> => {
  const { profile, ...rest } = caller
  // The records of a mirror may have been read with several keys, and do not name a key.
  const keyFingerprint = distinct(tables, (checkpoint) => checkpoint.keyFingerprint) || null
  return { origin: distinct(tables, ({ origin }) => origin), account: { profile, keyFingerprint, ...rest } }
}

const judgeTables = (
  tables: RunSoFar["tables"],
  { failure, language = "en", rejected }: Pick<Findings, "failure" | "language" | "rejected">,
): ReturnType<typeof judge> => {
  const readingOf = ({ state }: TableSoFar) => (state.checkpoint === null ? [] : [state.checkpoint.summary])
  return judge({
    readings: tables.flatMap(readingOf),
    language,
    evidence: tables.flatMap((table) =>
      table.stored?.isComplete === false
        ? []
        : readingOf(table).flatMap((reading) => evidenceOf(reading, language, table.stored === null)),
    ),
    reasons: {
      unverified: tables.flatMap(({ stored }) => stored?.reasons.unverified ?? []),
      partial: tables.flatMap(({ stored }) => stored?.reasons.partial ?? []),
    },
    rejected,
    withoutData: tables.reduce((sum, { state }) => sum + state.withoutData, 0),
    failure,
  })
}

/** The manifest. `failure` says why the run did not finish; null when it did. `language` is that of reasons and evidence: English in a file. */
export const describe = (
  run: RunSoFar,
  failure: string | null,
  endedAt: string,
  language: Language = "en",
): Manifest => {
  const { files, mirror, redact, tables, ...facts } = run
  return {
    version: 1,
    ...judgeTables(tables, { failure, language, rejected: run.rejected?.records ?? 0 }),
    madeBy: facts.madeBy,
    startedAt: facts.startedAt,
    endedAt,
    isResumed: facts.isResumed,
    ...sourceOf(run),
    ...(mirror === undefined ? {} : { mirror: { account: mirror.account, asOf: mirror.asOf } }),
    timeZone: facts.timeZone,
    tables: tables.flatMap(({ account, filters, isCompleted, state, stored, table }) => {
      const { checkpoint, rows, undocumented, withoutData } = state
      const { columns, name, title } = table
      return checkpoint === null
        ? []
        : [
            {
              table: name,
              title,
              ...(account === null ? {} : { account }),
              columns,
              filters,
              rows,
              ...(isCompleted ? { withoutData } : {}),
              undocumented: undocumentedOf(columns, undocumented, redact),
              ...(stored === null ? {} : { stored: { run: stored.run, sha256: stored.sha256 } }),
              reading: checkpoint.summary,
            },
          ]
    }),
    files: failure === null ? files : [],
    rejected: facts.rejected,
    longTexts: facts.longTexts,
    textsChanged: facts.textsChanged,
    newValues: facts.newValues,
  }
}

/** The account in the mirror, the profile whose key it was, or the service. */
const ownerOf = (run: RunSoFar): string => {
  const { account, origin } = sourceOf(run)
  return Account.clean(run.mirror?.account ?? account.profile ?? origin.replace(/^https?:\/\//, ""))
}

/** Where the records are from, and whose key was used, but nothing that the service says about a person. */
export const propertiesOf = (run: RunSoFar): FileProperties => {
  const { account, origin } = sourceOf(run)
  return {
    Source: origin,
    ...(account.profile === null ? {} : { Profile: Account.clean(account.profile) }),
    ...(account.keyFingerprint === null ? {} : { "Key fingerprint": account.keyFingerprint }),
  }
}

/** `Contracts and API keys of office`. */
export const documentOf = (run: RunSoFar, createdAt: string): FileDocument => ({
  title: say(
    run.language,
    "{0} of {1}",
    run.tables
      .map(({ table }) => table.title)
      .reduce((one, other) => say(run.language, "{0} and {1}", one, other)),
    ownerOf(run),
  ),
  madeBy: run.madeBy,
  createdAt,
})

const readFrom = (run: RunSoFar, createdAt: string): string =>
  `${run.mirror === undefined ? Account.clean(Account.nameIn(run.caller.me) ?? ownerOf(run)) : ownerOf(run)} · ${say(run.language, "read from {0} UTC", `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)}`)}`

/** `office · read from 2026-03-01 09:30 UTC · complete`: the note of a table, whose verdict is that of its list alone; other lists can have another one. */
export const noteOf = (run: RunSoFar, index: number, createdAt: string): string => {
  const { name } = run.tables[index]!.table
  const tables = run.tables.filter(({ table }) => table.name === name)
  const rejected = tables.reduce((sum, { state: { rejected: own } }) => sum + own, 0)
  const { verdict } = judgeTables(tables, { rejected, failure: null })
  // A sheet that is full ends before its list does.
  const isWhole = tables.every(({ state: { checkpoint } }) => checkpoint?.summary.complete === true)
  const state = isWhole ? verdict : "continued on the next sheet"
  return `${readFrom(run, createdAt)} · ${say(run.language, state)}`
}

/** The note of tables that are derived from others, in a workbook with a cover or without one. */
export const derivedNote = (run: RunSoFar, createdAt: string, hasCover: boolean): string =>
  `${readFrom(run, createdAt)} · ${say(run.language, hasCover ? "verdict on the cover" : "verdict on the last sheet")}`
