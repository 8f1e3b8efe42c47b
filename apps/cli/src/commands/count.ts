/**
 * `deedkit contracts count` and `deedkit keys count`: how many records there are, or how many in each group of equal values. The service does not count,
 * so all pages are read; memory grows with the number of groups.
 */
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { examples, failOnEmpty, root } from "../command/SharedFlags.ts"
import type { CommandError, Needs, Subcommand } from "../command/Subcommand.ts"
import { Failure } from "../failure/Failure.ts"
import { grouping } from "../records/Groups.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import * as RecordList from "../records/RecordList.ts"
import { columnNames, queryFlags } from "../records/RecordQuery.ts"
import * as RecordQuery from "../records/RecordQuery.ts"
import * as RecordText from "../records/RecordText.ts"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"

const { pageSize, where } = queryFlags
const own = {
  by: columnNames("by", "Count in groups of equal values of these columns, such as status,city"),
  where,
  failOnEmpty,
  pageSize,
  ...MirrorFlags.mirrorFlags,
} as const

type Choices = Command.Command.Config.Infer<typeof own>

const show = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  { by, failOnEmpty: failsOnEmpty, ...choices }: Choices,
): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    const flags = yield* root
    const moment = yield* MirrorFlags.momentOf(choices)
    const table = kind.tableAt(moment.nowMillis)
    const query = yield* RecordQuery.resolve(table, { ...choices, columns: by, all: true }, moment.nowMillis)
    const session = yield* RecordList.open(kind, flags, choices, moment, "patient")
    const { client, note, terminal } = session
    const list = kind.list(client)
    const columns = query.columns ?? []
    const { add, groups } = grouping(columns)
    const { filter, unmatched } = UnmatchedValue.watch(table, query.filter)
    const read = yield* RecordList.reading(list, { ...query, filter }, (records) =>
      Effect.sync(() => records.forEach(add)),
    )
    terminal.live(null)
    const found = groups()
    if (flags.json) {
      const document = {
        count: read.given,
        by: columns.map(({ name }) => name),
        groups: columns.length === 0 ? [] : found,
        where: query.filter.texts,
        read: read.read,
        rejected: read.rejected.length,
        complete: read.isComplete,
      }
      yield* terminal.json(RecordText.json(document, client.redact, 2))
    } else if (columns.length === 0) {
      yield* terminal.lines([String(read.given)])
    } else {
      yield* terminal.dressed(
        TerminalTable.render(
          [...columns.map(({ label }) => TerminalTable.left(label, true)), TerminalTable.right("Count")],
          found.map(({ records, values }) =>
            values
              .map((value, at) => client.redact(RecordText.display(columns[at]!.kind, value)) || "-")
              .concat(String(records)),
          ),
          terminal,
        ),
      )
    }
    for (const each of unmatched())
      note(UnmatchedValue.sentence(each, `No ${kind.one}`, client.redact), "yellow")
    const words = RecordList.outcome(kind, query, read, list.stored, terminal.isLogged)
    if (words !== null) note(words)
    const problems = list.stored?.problems ?? []
    if (read.rejected.length + problems.length > 0)
      return yield* RecordList.rejectedFailure(read.rejected, problems)
    if (failsOnEmpty && read.given === 0) return yield* new Failure({ reason: { _tag: "NothingFound" } })
  }).pipe(Effect.scoped)

/** The command for a kind of records. `example` are columns to group by. */
export const countOf = <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  example: string,
): Subcommand<"count"> =>
  Command.make("count", own, (choices) => show(kind, choices)).pipe(
    Command.withDescription(`Count ${kind.many}, all of them or in groups`),
    examples(`
      deedkit ${kind.name} count  # How many there are
      deedkit ${kind.name} count --by ${example}  # In groups, the largest first
      deedkit ${kind.name} count --where 'created_at>30d' --json  # Of the last 30 days, for another program
    `),
  )
