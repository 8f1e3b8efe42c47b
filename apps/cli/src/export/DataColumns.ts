/**
 * `--data-columns`: lists the members of the data payloads of contracts, as names for `--columns`. The specification does not say what a payload
 * holds (Spec: Contract gaps), so the members are found in the contracts of the first page, each read by id.
 */
import type { Contract } from "@deedkit/core"
import { Json } from "@deedkit/core"
import { contracts } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { root } from "../command/SharedFlags.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as Session from "../session/Session.ts"
import { count } from "../terminal/Figures.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"
import { completing } from "./DataPayload.ts"
import type { RunChoices } from "./ExportFlags.ts"
import { defaultPageSize } from "./ExportFlags.ts"

/** A member of payloads. */
export interface DataColumn {
  /** For `--columns`, such as `extra.data.rent.amount`. */
  readonly column: string
  /** JSON types of its values, sorted. */
  readonly types: ReadonlyArray<string>
  /** Number of contracts that have it. */
  readonly contracts: number
}

/** Maximum number of listed names. A payload whose members are named after ids could have any number of them. */
const most = 500

const typeOf = (value: Json.Json): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "list"
      : typeof value === "bigint"
        ? "number"
        : typeof value

const extra = contracts.columns.find(({ name }) => name === "extra")

/**
 * The members of contracts that the specification does not name, in the order in which they occur. Members of objects are listed individually; lists
 * are listed as a whole.
 */
export const columnsOf = (
  records: ReadonlyArray<Contract.Contract>,
  redact: (text: string) => string = (text) => text,
): ReadonlyArray<DataColumn> => {
  const found = new Map<string, { readonly types: Set<string>; contracts: number }>()
  for (const record of records) {
    // An explicit stack: a payload can be nested more deeply than recursion allows.
    const pending: Array<readonly [path: string, value: Json.Json]> = [["extra", extra?.get(record) ?? {}]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [path, value] = next
      const members = Json.isObject(value) ? Object.entries(value) : []
      if (members.length > 0 || path === "extra") {
        pending.push(
          ...members.map(([name, inner]) => [`${path}.${redact(name)}`, inner] as const).toReversed(),
        )
        continue
      }
      const seen = found.get(path) ?? { types: new Set(), contracts: 0 }
      if (seen.contracts === 0 && found.size >= most) continue
      seen.types.add(typeOf(value))
      seen.contracts += 1
      found.set(path, seen)
    }
  }
  return [...found].map(([column, { contracts: having, types }]) => ({
    column,
    types: [...types].toSorted(),
    contracts: having,
  }))
}

/** Reads the first page and the payloads of its contracts, and prints their members on standard output, as a table or as JSON. Writes no file. */
export const list = ({
  dryRun,
  from,
  pageSize = defaultPageSize,
}: Pick<RunChoices, "dryRun" | "from" | "pageSize">): Effect.Effect<void, CommandError, Needs> =>
  Effect.gen(function* () {
    if (dryRun)
      return yield* usageError(
        "--data-columns reads contracts, and --dry-run sends nothing",
        "Use one of them.",
      )
    if (from !== undefined) {
      return yield* usageError(
        "--data-columns is for requests, but --from reads a mirror without requests",
        "Leave out --from.",
      )
    }
    const flags = yield* root
    const { client, note, terminal } = yield* Session.open(flags, "patient")
    const pages = client.contracts.pages({ limit: pageSize, onRejected: "collect", readAhead: 0 })
    const [page] = yield* Stream.runCollect(Stream.take(pages, 1))
    const { records } = yield* completing(client.contracts)(page?.records ?? [])
    const columns = columnsOf(records, client.redact)
    terminal.live(null)
    if (flags.json) yield* terminal.json(JSON.stringify(columns, null, 2))
    else if (columns.length > 0) {
      yield* terminal.dressed(
        TerminalTable.render(
          [TerminalTable.left("Column"), TerminalTable.left("Type", true), TerminalTable.right("Contracts")],
          columns.map((each) => [each.column, each.types.join(", "), String(each.contracts)]),
          terminal,
        ),
      )
    }
    const of = `of ${count(records.length, "contract", "contracts")}, those of the first page`
    note(
      columns.length === 0
        ? `No member that the specification does not name is in the payloads ${of}.`
        : `${count(columns.length, "member", "members")} in the payloads ${of}. Choose them with --data --columns, after the columns that you want before them.`,
    )
  }).pipe(Effect.scoped)
