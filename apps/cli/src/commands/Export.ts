/**
 * `deedkit export contracts|keys`: all records in a file that is whole or not there at all.
 */
import { ExportError } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { formatFlags, select } from "../ExportOptions.ts"
import type { ExportTableOptions } from "../ExportTable.ts"
import { exportTable, setAside } from "../ExportTable.ts"
import type { RecordKind } from "../RecordKind.ts"
import * as RecordKinds from "../RecordKind.ts"
import { root } from "../Root.ts"
import * as Session from "../Session.ts"
import { toggle, wholeNumber } from "../SharedFlags.ts"
import type { Subcommand } from "../Subcommand.ts"

const defaultLimit = 100

type Choices<A extends { readonly id: number }> = Omit<ExportTableOptions<A>, "kind" | "table"> & {
  readonly columns: string | undefined
}

const write = Effect.fn(function* <A extends { readonly id: number }>(
  kind: RecordKind<A>,
  choices: Choices<A>,
) {
  const flags = yield* root
  const table = yield* select(kind.table, choices.columns)
  const session = yield* Session.open(flags, "export")
  const { target } = choices
  const result = yield* exportTable(session, { kind, table, ...choices }).pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() =>
        session.note(target === "-" ? "The output is not complete." : `No ${target} was made.`),
      ),
    ),
  )
  if (flags.json) {
    const document = JSON.stringify(result, null, target === "-" ? 0 : 2)
    // Standard output holds the rows already.
    if (target === "-") session.terminal.say(document)
    else yield* session.terminal.json(document)
  }
  yield* setAside(result)
}, Effect.scoped)

export const exportCommand: Subcommand<"export"> = Command.make(
  "export",
  {
    what: Argument.Literals("contracts|keys", ["contracts", "keys"]).pipe(
      Argument.withDescription("What to export"),
    ),
    ...formatFlags,
    out: Flag.String("out").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The file to write, or - for standard output"),
    ),
    overwrite: toggle("overwrite", "Replace the file if there is one"),
    limit: wholeNumber("limit", `Records a page; default ${defaultLimit}`),
  },
  Effect.fn(function* ({
    columns,
    flavour,
    formulaGuard,
    headers,
    limit = defaultLimit,
    out,
    overwrite,
    what,
  }) {
    if (out.trim() === "") {
      return yield* new ExportError.ExportError({ reason: { _tag: "TargetFolderMissing", folder: out } })
    }
    const choices = {
      csv: { flavour, formulaGuard },
      columns,
      headings: headers,
      target: out,
      overwrite,
      limit,
    }
    yield* what === "contracts" ? write(RecordKinds.contracts, choices) : write(RecordKinds.keys, choices)
  }),
).pipe(
  Command.withDescription("Write all contracts or API keys to a file"),
  Command.withExamples([
    { command: "deedkit export contracts --out contracts.csv", description: "All contracts, for programs" },
    {
      command: "deedkit export contracts --for excel --out contracts.csv --overwrite",
      description: "For Excel, in place of an older file",
    },
    {
      command: "deedkit export contracts --columns id,status,listing.city --headers api --out - | head",
      description: "Three columns to another program",
    },
    { command: "deedkit export keys --out keys.csv", description: "Names, scopes and use of API keys" },
  ]),
)
