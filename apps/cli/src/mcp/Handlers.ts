/**
 * Implements the tools: verified pagination as in every command, page by page, as plain data. The client holds the API key; no tool takes or returns
 * it.
 */
import { execFile } from "node:child_process"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { KeyAudit } from "@deedkit/core"
import type { RejectedRecord } from "@deedkit/core"
import { Filter, Sort, TextForm } from "@deedkit/export"
import type { Table } from "@deedkit/export"
import type { Change, ListChanges } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as McpServer from "effect/ai/McpServer"
import type { CommandError } from "../command/Subcommand.ts"
import { startedAs } from "../command/Subcommand.ts"
import { grouping } from "../records/Groups.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import * as RecordKinds from "../records/RecordKind.ts"
import { columnsOf } from "../records/RecordQuery.ts"
import * as RecordText from "../records/RecordText.ts"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"
import type { RecordSource, SourceList } from "../session/RecordSource.ts"
import { factsOf } from "../sync/Digest.ts"
import * as Since from "../sync/Since.ts"
import type { PlainJson } from "./Data.ts"
import { longestResult, notice, plain, plainText } from "./Data.ts"
import type { Place } from "./Reading.ts"
import { read, start } from "./Reading.ts"
import * as Tools from "./Tools.ts"
import type { ToolError } from "./Tools.ts"
import { pages, records as counts, toolError, wrong } from "./Tools.ts"

/** What the server reads, and where it may write. */
export interface Sources {
  readonly accounts: ReadonlyArray<string>
  /** Opens a list of an account: the service, or a mirror as its last sync left it. */
  readonly open: (
    account: string,
    list: "contracts" | "keys",
  ) => Effect.Effect<RecordSource, CommandError, Scope.Scope>
  /** The changes of a mirror since a moment. Absent for a service. */
  readonly changesSince?: (since: string) => Effect.Effect<ReadonlyArray<ListChanges>, CommandError>
  /** The flags with which this program exports an account. */
  readonly flags: (account: string) => ReadonlyArray<string>
  /** The only folder that exports are written to. Without it there is no tool that writes. */
  readonly folder?: string | undefined
}

interface ListArguments {
  readonly account?: string
  readonly cursor?: string
  readonly fields?: ReadonlyArray<string>
  readonly limit?: number
  readonly max_pages?: number
  readonly sort?: ReadonlyArray<string>
  readonly text?: string
  readonly where?: ReadonlyArray<string>
}

const everything = { records: Infinity, pages: Infinity } as const

const wordsOf = (text: string): ReadonlyArray<string> =>
  TextForm.search(text)
    .split(/\s+/)
    .filter((word) => word !== "")

/** Columns that words are searched in. */
const searched = new Set([
  "id",
  "status",
  "kind",
  "unit_label",
  "listing.title",
  "listing.area",
  "listing.city",
  "listing.slug",
])

const hasWords = <A>({ columns }: Table.Table<A>, record: A, words: ReadonlyArray<string>): boolean => {
  if (words.length === 0) return true
  const texts = columns
    .filter(({ name }) => searched.has(name))
    .map(({ get, kind }) => RecordText.display(kind, get(record)))
  const all = TextForm.search(texts.join("\n"))
  return words.every((word) => all.includes(word))
}

type Result = { readonly [member: string]: Schema.Json }
type Members = { readonly [member: string]: PlainJson | undefined }

/** Without members that are undefined, which JSON has not. */
const defined = (members: Members): PlainJson =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as PlainJson

/** A change with its differences only: whole records are what `contracts_get` is for. */
const changeOf = (change: Change) => {
  const { differences, isUnusual, label } = factsOf(change)
  const { collection, id, seenAt } = change
  return { collection, id, label, change: change.change, seen_at: seenAt, unusual: isUnusual, differences }
}

/** A name of a file in the folder for exports: no path, no placeholder, nothing hidden. */
const fileName = /^[\p{L}\p{N}_][\p{L}\p{N} ._()-]*$/u

/** Whether a name is taken, or a file beside it, such as the manifest, would be written through a link. */
const isTaken = (folder: string, file: string): Effect.Effect<boolean> =>
  Effect.promise(() => readdir(folder, { withFileTypes: true }).catch(() => [])).pipe(
    Effect.map((entries) =>
      entries.some((entry) => entry.name === file || (entry.name.startsWith(file) && entry.isSymbolicLink())),
    ),
  )

/** Runs this program, and gives what it says on standard error. */
const runSelf = (words: ReadonlyArray<string>): Effect.Effect<string, ToolError> =>
  Effect.callback((resume) => {
    const [command = "", ...args] = [...startedAs(), ...words]
    const child = execFile(command, args, (error, _, stderr) =>
      resume(
        error === null
          ? Effect.succeed(stderr)
          : Effect.fail(wrong("ExportFailed", plainText(stderr.trim() || error.message))),
      ),
    )
    return Effect.sync(() => void child.kill())
  })

const rejectedOf = (rejected: ReadonlyArray<RejectedRecord>) =>
  rejected.map(({ id, issues }) => ({
    id,
    problems: issues.map(({ expected, found, path }) => `${path} should be ${expected} and is ${found}`),
  }))

/** Most places that are kept for cursors; the oldest are forgotten. */
const mostPlaces = 100

/** Cursors such as `contracts-1` for places, kept while this process runs. One can be used again, so that a lost call can be repeated. */
const makeCursors = () => {
  const places = new Map<string, { readonly search: string; readonly place: Place<never> }>()
  let last = 0
  return {
    /** The place of a cursor, which is valid only for the search that returned it; without one the start. */
    find: (
      list: string,
      search: string,
      cursor: string | undefined,
    ): Effect.Effect<Place<never>, ToolError> => {
      if (cursor === undefined) return Effect.succeed(start)
      const kept = cursor.startsWith(`${list}-`) ? places.get(cursor) : undefined
      if (kept === undefined) {
        return wrong("CursorUnknown", "This cursor is unknown or has expired. Start again without a cursor.")
      }
      if (kept.search === search) return Effect.succeed(kept.place)
      return wrong(
        "CursorOfAnotherSearch",
        "This cursor belongs to another search. Use the arguments of that search, or start again without a cursor.",
      )
    },
    keep: <A>(list: string, search: string, place: Place<A> | null): string | null => {
      if (place === null) return null
      last += 1
      const cursor = `${list}-${last}`
      places.set(cursor, { search, place: place as Place<never> })
      for (const oldest of [...places.keys()].slice(0, -mostPlaces)) places.delete(oldest)
      return cursor
    },
  }
}

/** The tools of these sources, to be registered with a server. */
export const make = ({ accounts, changesSince, flags, folder, open }: Sources) => {
  const cursors = makeCursors()

  const accountOf = (account: string | undefined): Effect.Effect<string, ToolError> => {
    const [only] = accounts
    if (account === undefined && only !== undefined && accounts.length === 1) return Effect.succeed(only)
    if (account !== undefined && accounts.includes(account)) return Effect.succeed(account)
    const problem = account === undefined ? "Several accounts are served" : "There is no such account"
    return wrong("AccountUnknown", `${problem}. Set \`account\` to one of: ${accounts.join(", ")}.`)
  }

  /** Records as plain data without the API key. Fails if they are too large for one result. */
  const data = (values: ReadonlyArray<unknown>, redact: RecordSource["redact"]) => {
    const plainly = values.map((value) => plain(value as Parameters<typeof plain>[0], redact))
    return JSON.stringify(plainly).length <= longestResult
      ? Effect.succeed(plainly)
      : wrong("ResultTooLarge", "The result is too large. Ask for fewer records or fields at a time.")
  }

  /** Reads a list of an account. */
  const reading = <A extends { readonly id: number }>(
    kind: RecordKind<A>,
    account: string | undefined,
    work: (
      list: SourceList<A>,
      source: RecordSource,
    ) => Effect.Effect<
      { readonly applied: Members; readonly [member: string]: unknown },
      CommandError | ToolError
    >,
  ) =>
    Effect.gen(function* () {
      const source = yield* open(yield* accountOf(account), kind.name)
      const list = kind.list(source)
      const { applied, ...result } = yield* work(list, source)
      // A mirror says how old it is, and whether it is known to hold everything.
      const { line, problems } = list.stored ?? {}
      const mirror = line === undefined ? {} : { mirror: plainText(line), problems }
      return { notice, applied: defined({ account, ...applied }), ...result, ...mirror } as Result
    }).pipe(Effect.scoped, Effect.mapError(toolError))

  const listing = <A extends { readonly id: number }>(kind: RecordKind<A>, args: ListArguments) => {
    const { cursor, fields, limit = counts.usual, max_pages, sort, text, where } = args
    return reading(kind, args.account, (list, source) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const table = kind.tableAt(now)
        const filter = yield* Effect.fromResult(Filter.parse(table, where ?? [], now))
        const order = sort === undefined ? undefined : yield* Effect.fromResult(Sort.parse(table, sort))
        const shape = RecordText.shaped(table, yield* columnsOf(table, fields))
        const words = wordsOf(text ?? "")
        const watch = UnmatchedValue.watch(table, {
          keeps: (record) => filter.keeps(record) && hasWords(table, record, words),
          texts: filter.texts,
        })
        const search = JSON.stringify([args.account ?? accounts[0], filter.texts, words, order?.texts])
        const place = yield* cursors.find(kind.name, search, cursor)
        const part = yield* read(list, { keeps: watch.filter.keeps, sort: order }, place, {
          records: limit,
          pages: max_pages ?? pages.search,
        })
        const isWhole = cursor === undefined && part.isComplete
        const none = isWhole ? `No ${kind.one}` : `None of the ${kind.many} that this call has read`
        return {
          applied: {
            where: where && filter.texts,
            text: text === undefined ? text : words.join(" "),
            sort: order?.texts,
            fields,
            limit,
            max_pages,
            cursor: cursor ?? null,
          },
          hints: watch
            .unmatched()
            .map((each) => plainText(UnmatchedValue.sentence(each, none, source.redact))),
          [kind.name]: yield* data(part.records.map(shape), source.redact),
          next: cursors.keep(kind.name, search, part.next),
          rejected: rejectedOf(part.rejected),
          pages_read: part.pagesRead,
          records_read: part.recordsRead,
          complete: part.isComplete,
        }
      }),
    )
  }

  const tools = Tools.reading.toLayer({
    contracts_list: (args) => listing(RecordKinds.contracts, args),

    contracts_search: (args) =>
      listing(RecordKinds.contracts, { where: [], text: "", max_pages: pages.search, ...args }),

    contracts_get: ({ account, fields, ids, include_data = false }) =>
      reading(RecordKinds.contracts, account, (list, { redact }) =>
        Effect.gen(function* () {
          const { table } = RecordKinds.contracts
          const shape = RecordText.shaped(table, yield* columnsOf(table, fields))
          const found =
            list.getMany === undefined
              ? (yield* read(list, { keeps: ({ id }) => ids.includes(id) }, start, everything)).records
              : (yield* list.getMany(ids, { includeData: include_data })).flatMap((lookup) =>
                  lookup._tag === "Found" ? [lookup.record] : [],
                )
          const byId = new Map(found.map((record) => [record.id, record]))
          return {
            applied: { ids, include_data, fields },
            contracts: yield* data(ids.flatMap((id) => byId.get(id) ?? []).map(shape), redact),
            unknown_ids: [...new Set(ids.filter((id) => !byId.has(id)))],
          }
        }),
      ),

    keys_list: (args) => listing(RecordKinds.keys, args),

    keys_audit: ({
      account,
      max_age_days = KeyAudit.defaults.maxAgeDays,
      max_scopes = KeyAudit.defaults.maxScopes,
      unused_days = KeyAudit.defaults.unusedDays,
    }) =>
      reading(RecordKinds.keys, account, (list, { redact }) =>
        Effect.gen(function* () {
          const part = yield* read(list, { keeps: () => true }, start, { ...everything, pages: pages.most })
          const now = new Date(yield* Clock.currentTimeMillis)
          const findings = KeyAudit.audit(part.records, {
            now,
            unusedDays: unused_days,
            maxScopes: max_scopes,
            maxAgeDays: max_age_days,
          })
          return {
            applied: { unused_days, max_scopes, max_age_days },
            judged_at: now.toISOString(),
            keys: part.records.length,
            complete: part.isComplete,
            findings: yield* data(
              findings.map((finding) => Object.assign({}, finding, { says: KeyAudit.sentence(finding) })),
              redact,
            ),
            rejected: rejectedOf(part.rejected),
          }
        }),
      ),

    summary: ({ account, group_by, max_pages = pages.summary }) =>
      reading(RecordKinds.contracts, account, (list, { redact }) =>
        Effect.gen(function* () {
          const names = group_by ?? ["status", "kind", "city"]
          const columns = (yield* columnsOf(RecordKinds.contracts.table, names)) ?? []
          const part = yield* read(list, { keeps: () => true }, start, { ...everything, pages: max_pages })
          const groupsOf = (by: typeof columns) => {
            const { add, groups } = grouping(by)
            part.records.forEach(add)
            return groups()
          }
          const apart = () =>
            columns.map((column, at) => [
              names[at],
              groupsOf([column]).map(({ records, values: [value] }) => ({ value, records })),
            ])
          const counted = group_by === undefined ? Object.fromEntries(apart()) : groupsOf(columns)
          const [groups] = yield* data([counted], redact)
          return {
            applied: { max_pages, group_by },
            contracts: part.records.length,
            complete: part.isComplete,
            pages_read: part.pagesRead,
            [group_by === undefined ? "by" : "groups"]: groups,
            rejected: rejectedOf(part.rejected),
          }
        }),
      ),
  })

  const history = (changesOf: NonNullable<Sources["changesSince"]>) =>
    Tools.history.toLayer({
      changes: ({ account, cursor, limit = counts.usual, since }) =>
        Effect.gen(function* () {
          const name = yield* accountOf(account)
          if (!Since.isSince(since)) return yield* wrong("SinceInvalid", `\`since\` takes ${Since.shape}.`)
          const moment = Since.moment(since, yield* Clock.currentTimeMillis)
          const search = JSON.stringify([name, since])
          let place: Place<Change> = yield* cursors.find("changes", search, cursor)
          if (cursor === undefined) {
            const lists = yield* changesOf(moment)
            const own = lists.filter((list) => list.account === name)
            place = { rest: own.flatMap(({ changes }) => changes), after: null, end: "last page" }
          }
          const rest = place.rest.slice(limit)
          return {
            notice,
            applied: defined({ account, since, limit, cursor: cursor ?? null }),
            since: moment,
            changes: yield* data(place.rest.slice(0, limit).map(changeOf), (text) => text),
            next: cursors.keep("changes", search, rest.length === 0 ? null : { ...place, rest }),
            remaining: rest.length,
          }
        }).pipe(Effect.mapError(toolError)),
    })

  const exporting = (inFolder: string) =>
    Tools.exporting.toLayer({
      contracts_export: ({ account, fields, file, where = [] }) =>
        Effect.gen(function* () {
          const name = yield* accountOf(account)
          const path = join(inFolder, file)
          if (!fileName.test(file))
            return yield* wrong("FileNameInvalid", "Name a file without a folder, such as contracts.xlsx.")
          if (yield* isTaken(inFolder, file))
            return yield* wrong("FileExists", `${file} already exists. Choose another name.`)
          const said = yield* runSelf([
            "export",
            "contracts",
            `--out=${path}`,
            ...flags(name),
            ...where.map((condition) => `--where=${condition}`),
            ...(fields === undefined ? [] : [`--columns=${fields.join(",")}`]),
          ])
          return {
            notice,
            applied: defined({ account, file, where, fields }),
            file: path,
            says: plainText(said.trim()),
          }
        }),
    })

  return Layer.mergeAll(
    Layer.provide(McpServer.toolkit(Tools.reading), tools),
    changesSince === undefined
      ? Layer.empty
      : Layer.provide(McpServer.toolkit(Tools.history), history(changesSince)),
    folder === undefined ? Layer.empty : Layer.provide(McpServer.toolkit(Tools.exporting), exporting(folder)),
  )
}
