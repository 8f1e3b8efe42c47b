/** `deedkit export diff OLD NEW`: what came, went and changed between two exports of the same table. Asks the service for nothing. */
import { readFile } from "node:fs/promises"
import { Json } from "@deedkit/core"
import { apiKeys, contracts, Diff, ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FormatChoices } from "../ExportFlags.ts"
import { count } from "../Figures.ts"
import { ofFile } from "../FormatName.ts"
import * as Formats from "../Formats.ts"
import { root } from "../Root.ts"
import { Terminal } from "../Terminal.ts"
import * as TerminalTable from "../TerminalTable.ts"
import type { Work } from "../Subcommand.ts"

const tables = [contracts, apiKeys]

const unreadable = (path: string, expected: string) =>
  new ExportError.ExportError({ reason: { _tag: "Unreadable", path, expected } })

/** The rows of a JSON text: an array of objects, or objects a line. */
const fromJson = (text: string, isLines: boolean): ReadonlyArray<Diff.Row> | null => {
  try {
    const values = isLines
      ? text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map(Json.parse)
      : Json.parse(text)
    if (!Array.isArray(values) || !values.every(Json.isObject)) return null
    return values.map((value) =>
      Object.fromEntries(Object.entries(value).map(([name, cell]) => [name, Diff.textOf(cell)])),
    )
  } catch {
    return null
  }
}

const fromCsv = (
  text: string,
  read: typeof import("@deedkit/export-csv").read,
): ReadonlyArray<Diff.Row> | null => {
  const table = read(text)
  if (table === null) return null
  const names = Diff.namesOf(table.headings, tables)
  return table.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])))
}

const readRows = (path: string) =>
  Effect.gen(function* () {
    const format = ofFile(path)
    if (format === null || format === "xlsx") {
      return yield* unreadable(path, "an export as csv, tsv, json or ndjson")
    }
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (cause) =>
        new ExportError.ExportError({
          reason:
            (cause as NodeJS.ErrnoException).code === "ENOENT"
              ? { _tag: "FileMissing", path }
              : {
                  _tag: "FileFailed",
                  path,
                  step: "look at",
                  code: (cause as NodeJS.ErrnoException).code ?? null,
                },
        }),
    })
    const { read } = yield* Effect.promise(() => import("@deedkit/export-csv"))
    const rows =
      format === "json" || format === "ndjson" ? fromJson(text, format === "ndjson") : fromCsv(text, read)
    if (rows === null) return yield* unreadable(path, `a table as ${format}`)
    const [first] = rows
    if (first !== undefined && first["id"] === undefined) {
      return yield* unreadable(path, "an export with the column id, by which records are told apart,")
    }
    return rows
  })

const sentence = ({ added, changed, gone, same }: Diff.Difference): string =>
  `${added} added, ${changed} changed, ${gone} gone, ${count(same, "record is", "records are")} the same.`

interface DiffChoices extends FormatChoices {
  readonly before: string
  readonly after: string
}

export const diff: Work<DiffChoices> = Effect.fn(function* ({ after, before, ...choices }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const difference = Diff.compare(yield* readRows(before), yield* readRows(after))
  const { changes, onlyAfter, onlyBefore } = difference
  const say = (text: string): void => {
    if (!flags.quiet && !flags.json) terminal.say(text)
  }
  if (choices.out.length > 0) {
    const { writeTable } = yield* Effect.promise(() => import("@deedkit/export/run"))
    for (const target of yield* Formats.targets(choices.out, choices.format)) {
      const writer = yield* Formats.writer(target.format, choices)
      yield* writeTable({
        table: Diff.changes,
        pages: Stream.make(changes),
        writer,
        target: target.target,
        overwrite: choices.overwrite,
        headings: choices.headers,
        stdout: terminal.bytes,
      })
    }
  } else if (flags.json) yield* terminal.json(JSON.stringify(difference, null, 2))
  else {
    const headings = Diff.changes.columns.map(({ label }) => label)
    const rows = changes.map((change) => Diff.changes.columns.map(({ get }) => Diff.textOf(get(change))))
    if (rows.length > 0) {
      yield* terminal.lines(
        TerminalTable.render(
          headings.map((heading, at) => ({ heading, align: "left", shrinks: at > 1 }) as const),
          rows,
          { width: terminal.width, style: terminal.style },
        ),
      )
    }
  }
  say(sentence(difference))
  if (onlyBefore.length + onlyAfter.length > 0) {
    say(`Not compared, because only one of them has it: ${[...onlyBefore, ...onlyAfter].join(", ")}.`)
  }
})
