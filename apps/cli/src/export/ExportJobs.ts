/**
 * Reads records into files, for the commands `export` and `demo`. Reports completeness at the end.
 */
import type { ApiKey, ClientError, Contract, Page } from "@deedkit/core"
import type { ExportError, Overview } from "@deedkit/export"
import { apiKeyGroupings, contractGroupings, Verdict } from "@deedkit/export"
import type { ExportResult, Job, OutputSpec, RunOptions } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { version } from "../command/Version.ts"
import { Failure } from "../failure/Failure.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import { contracts, keys } from "../records/RecordKind.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as ClosingLine from "../terminal/ClosingLine.ts"
import { completing } from "./DataPayload.ts"
import type { Selection } from "./TableSelection.ts"
import * as Formats from "./Formats.ts"
import type { FormatOptions, FormatTarget } from "./Formats.ts"

export type ExportJob = Job<ClientError.ClientError | Failure, never>

export interface JobOptions<A> extends Partial<Selection<A>> {
  /** Records per page. */
  readonly pageSize: number
  /** Whether to request the data payload of each contract. */
  readonly data?: boolean | undefined
  /** Receives the records that go into the table. */
  readonly collect?: ((records: ReadonlyArray<A>) => void) | undefined
  /** Receives each page before it is written to the files. */
  readonly onPage?: ((page: Page<A>) => void) | undefined
}

const loadRun = Effect.promise(() => import("@deedkit/export/run"))

/** Makes the export job for one kind of records. */
const makeJob = <A extends { readonly id: number }>(
  { client }: SourceSession,
  kind: RecordKind<A>,
  groupings: ReadonlyArray<Overview.Grouping<A>>,
  { collect, data = false, filter, onPage, pageSize, table = kind.table }: JobOptions<A>,
): Effect.Effect<ExportJob> =>
  Effect.map(loadRun, ({ job }) => {
    const records = kind.list(client)
    const { get, stored } = records
    return job({
      table,
      filter,
      collect,
      groupings,
      stored,
      completePage: data && get !== undefined ? completing({ get }) : undefined,
      pages: (options) => {
        const pages = records.pages({ limit: pageSize, onRejected: "collect", ...options })
        return onPage === undefined ? pages : Stream.tap(pages, (page) => Effect.sync(() => onPage(page)))
      },
    })
  })

/** All contracts. */
export const contractsJob = (
  session: SourceSession,
  options: JobOptions<Contract.Contract>,
): Effect.Effect<ExportJob> => makeJob(session, contracts, contractGroupings, options)

/** All API keys. */
export const keysJob = (
  session: SourceSession,
  options: JobOptions<ApiKey.ApiKey>,
): Effect.Effect<ExportJob> => makeJob(session, keys, apiKeyGroupings, options)

export interface FilesOptions extends Pick<
  RunOptions<never, never>,
  | "caller"
  | "cover"
  | "createdAt"
  | "derived"
  | "headings"
  | "isWorthResuming"
  | "onFailure"
  | "onLeftover"
  | "keepsRecords"
  | "overwrite"
  | "prove"
  | "rejectionLimits"
  | "resume"
  | "summary"
  | "timeZone"
> {
  readonly targets: ReadonlyArray<FormatTarget>
  readonly format: FormatOptions
}

/** Writes the files and prints the closing lines. */
export const exportTables = (
  { client, mirror, note, terminal }: SourceSession,
  jobs: ReadonlyArray<ExportJob>,
  { format, targets, ...options }: FilesOptions,
): Effect.Effect<ExportResult, ClientError.ClientError | ExportError.ExportError | Failure> =>
  Effect.gen(function* () {
    const { run } = yield* loadRun
    const outputs = yield* Effect.forEach(targets, (each) =>
      Effect.map(Formats.writer(each, format), (writer): OutputSpec => ({ writer, target: each.target })),
    )
    const seen = new Set<string>()
    const unlisten = client.listen((event) => {
      if (event._tag === "SchemaDrift") seen.add(`${event.path} (${event.found})`)
    })
    const result = yield* run({
      ...options,
      mirror,
      jobs,
      outputs,
      stdout: terminal.bytes,
      madeBy: `deedkit ${version}`,
      newValues: () => [...seen].toSorted(),
      redact: client.redact,
    }).pipe(Effect.ensuring(Effect.sync(unlisten)))
    terminal.live(null)
    for (const { reading, withoutData } of result.manifest.tables) {
      const { stored } = reading.collection === "contracts" ? client.contracts : client.apiKeys
      const isComplete = Verdict.isComplete(reading) && (stored === undefined || stored.problems.length === 0)
      note(
        `${stored?.line ?? ClosingLine.reading(reading, { isLogged: terminal.isLogged, withoutData, what: "export" })}.`,
        isComplete ? "green" : "yellow",
      )
    }
    for (const line of ClosingLine.files(result)) note(line)
    for (const line of ClosingLine.undocumented(result.manifest.tables)) note(line)
    return result
  })

/** Fails with `NotComplete` if the result is not known to be complete. */
export const notComplete = ({ manifest, rejected }: ExportResult): Effect.Effect<void, Failure> => {
  if (manifest.verdict === "complete") return Effect.void
  return Effect.fail(
    new Failure({
      reason: {
        _tag: "NotComplete",
        records: rejected?.records ?? 0,
        withoutData: manifest.tables.reduce((sum, table) => sum + (table.withoutData ?? 0), 0),
        path: rejected?.path ?? null,
        // For a mirror, its proof says more than its readings.
        reasons:
          manifest.mirror === undefined
            ? Verdict.judge({
                readings: manifest.tables.map(({ reading }) => reading),
                rejected: 0,
                failure: null,
              }).reasons
            : manifest.reasons,
        problems: (rejected?.members ?? []).map(
          ({ expected, found, path }) =>
            `${path === "" ? "the record" : path} should be ${expected} and is ${found}`,
        ),
      },
    }),
  )
}
