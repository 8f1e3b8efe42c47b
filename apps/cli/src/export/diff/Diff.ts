/** `deedkit export diff OLD NEW`: shows what was added, removed and changed between two exports of the same table. Sends no requests. */
import { Json } from "@deedkit/core"
import { Diff, ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as ExportedTable from "./ExportedTable.ts"
import type { FormatChoices } from "../formats/ExportFlags.ts"
import { count } from "../../terminal/Figures.ts"
import * as Formats from "../formats/Formats.ts"
import { Failure } from "../../failure/Failure.ts"
import { root } from "../../command/Root.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import * as TerminalTable from "../../terminal/TerminalTable.ts"
import type { Work } from "../../command/Subcommand.ts"

const sentence = ({ added, changed, gone, same }: Diff.Difference): string =>
  `${added} added, ${changed} changed, ${gone} gone, ${count(same, "record is", "records are")} unchanged.`

const hasBoth = <A>(one: A | null, other: A | null): boolean => one !== null && other !== null

/** Removes the column that holds payloads: an export with payloads differs in every record from one without. */
const withoutExtra = ({ rows, ...exported }: ExportedTable.Exported): Diff.Timed => ({
  ...exported,
  rows: rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== "extra"))),
})

interface DiffChoices extends FormatChoices {
  readonly before: string
  readonly after: string
  readonly failOnChanges: boolean
}

export const diff: Work<DiffChoices> = Effect.fn(function* ({ after, before, failOnChanges, ...choices }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const earlier = yield* ExportedTable.read(before)
  const later = yield* ExportedTable.read(after)
  const isOneWithData = hasBoth(earlier.hasData, later.hasData) && earlier.hasData !== later.hasData
  const [left, right] = isOneWithData ? [withoutExtra(earlier), withoutExtra(later)] : [earlier, later]
  const aligned = Diff.align(left, right, ExportedTable.tables)
  if (Result.isFailure(aligned)) {
    return yield* new ExportError.ExportError({ reason: { _tag: "TimeZonesDiffer", ...aligned.failure } })
  }
  const difference = Diff.compare(aligned.success.before, aligned.success.after)
  const { changes, onlyAfter, onlyBefore } = difference
  const say = (text: string): void => {
    if (!flags.quiet && !flags.json) terminal.say(text)
  }
  if (choices.out.length > 0) {
    const { writeTable } = yield* Effect.promise(() => import("@deedkit/export/run"))
    for (const target of yield* Formats.targets(choices.out, choices.format)) {
      const writer = yield* Formats.writer(target, choices)
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
  } else if (flags.json) yield* terminal.json(Json.stringify(difference, 2))
  else {
    const headings = Diff.changes.columns.map(({ label }) => label)
    const rows = changes.map((change) => Diff.changes.columns.map(({ get }) => Diff.textOf(get(change))))
    if (rows.length > 0) {
      yield* terminal.dressed(
        TerminalTable.render(
          headings.map((heading, at) => ({ heading, align: "left", shrinks: at > 2 }) as const),
          rows,
          { width: terminal.width, style: terminal.style },
        ),
      )
    }
  }
  say(sentence(difference))
  if (onlyBefore.length + onlyAfter.length > 0) {
    say(`Not compared, in one file only: ${[...onlyBefore, ...onlyAfter].join(", ")}.`)
  }
  if (isOneWithData) say("Not compared, because only one of them has data payloads: extra.")
  if (
    hasBoth(earlier.keyFingerprint, later.keyFingerprint) &&
    earlier.keyFingerprint !== later.keyFingerprint
  ) {
    say(
      "They were read with two keys. If they are the keys of two accounts, the differences are not changes.",
    )
  }
  const { added, changed, gone } = difference
  if (failOnChanges && added + changed + gone > 0) {
    return yield* new Failure({ reason: { _tag: "ExportsDiffer", added, changed, gone } })
  }
})
