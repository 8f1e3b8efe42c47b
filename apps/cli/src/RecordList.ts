/**
 * The command `list` of a kind of records: the first page, or all, as a table or as JSON. Says on standard error when there is more.
 */
import type { Cursor, Page } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "effect/cli/Command"
import * as ClosingLine from "./ClosingLine.ts"
import type { RecordKind } from "./RecordKind.ts"
import * as RecordTable from "./RecordTable.ts"
import { root } from "./Root.ts"
import * as Session from "./Session.ts"
import { SetAside } from "./SetAside.ts"
import { toggle, wholeNumber } from "./SharedFlags.ts"
import type { Subcommand } from "./Subcommand.ts"

const limitOfAll = 100

/** A list as one JSON document. `complete` is true only when the service said that there is no further page. */
interface ListDocument<A> {
  readonly items: ReadonlyArray<A>
  /** Records that are not as specified: which, and why. */
  readonly invalid: ReadonlyArray<Pick<Page<A>["invalid"][number], "id" | "issues">>
  readonly pages: number
  readonly next: Cursor.Cursor | null
  readonly complete: boolean
}

const documentOf = <A>(pages: ReadonlyArray<Page<A>>): ListDocument<A> => ({
  items: pages.flatMap((page) => page.records),
  invalid: pages.flatMap((page) => page.invalid.map(({ id, issues }) => ({ id, issues }))),
  pages: pages.length,
  next: pages.at(-1)?.next ?? null,
  complete: pages.at(-1)?.summary.complete ?? false,
})

const leftOut = ({ invalid }: ListDocument<unknown>): SetAside =>
  new SetAside({
    records: invalid.length,
    path: null,
    problems: invalid.flatMap(({ id, issues }) =>
      issues.map(
        ({ expected, found, path }) =>
          `${path === "" ? "the record" : path} of ${id === null ? "one" : id} should be ${expected} and is ${found}`,
      ),
    ),
  })

/** Makes the command. */
export const command = <A extends { readonly id: number }>(kind: RecordKind<A>): Subcommand<"list"> =>
  Command.make(
    "list",
    {
      all: toggle("all", "Walk all pages, not only the first"),
      limit: wholeNumber(
        "limit",
        `Records a page; default: what the service gives, with --all ${limitOfAll}`,
      ),
    },
    Effect.fn(function* ({ all, limit }) {
      const flags = yield* root
      const { client, note, terminal } = yield* Session.open(flags, all ? "export" : "interactive")
      const walk = kind.records(client).pages({
        limit: limit ?? (all ? limitOfAll : undefined),
        onInvalid: "collect",
        readAhead: all ? 1 : 0,
      })
      const pages = yield* Stream.runCollect(all ? walk : Stream.take(walk, 1))
      const document = documentOf(pages)
      terminal.live(null)

      if (flags.json) yield* terminal.json(Json.stringify(document, 2))
      else {
        const { style, width } = terminal
        yield* terminal.lines(RecordTable.lines(kind, document.items, { width, style }))
      }
      const last = pages.at(-1)
      if (all && last !== undefined) note(`${ClosingLine.walk(last.summary)}.`)
      if (!all && document.next !== null) {
        note(`There are more ${kind.many}: this is the first page. --all shows all of them.`)
      }
      if (document.invalid.length > 0) return yield* leftOut(document)
    }, Effect.scoped),
  ).pipe(
    Command.withDescription(`List ${kind.many}`),
    Command.withExamples([
      { command: `deedkit ${kind.name} list`, description: "The first page" },
      {
        command: `deedkit ${kind.name} list --all --json | jq '.items | length'`,
        description: "All, counted",
      },
    ]),
  )
