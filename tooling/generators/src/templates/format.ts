/** The texts of a new format: a JSON array of texts for the headings and one for each record, so that any text can be written and read back. */
import type { Name } from "../plan/Name.ts"

export const facts = ({ camel, kebab }: Name): string => `
/** The format as facts, apart from its writer, which is loaded later. */
import type { TableWriter } from "@deedkit/export"
import { unlimited } from "@deedkit/export/formats"

/** One table a file, of any size. */
export const ${camel}: TableWriter.Format<"${kebab}"> = {
  name: "${kebab}",
  extensions: ["${kebab}"],
  mediaType: "text/plain; charset=utf-8",
  sheets: "one",
  limits: unlimited,
}
`

export const entry = ({ camel, kebab, pascal, words }: Name): string => `
/** The entry for lists of formats: the format as it describes itself. Loads neither its writer nor its reader. */
import type { FileFormat } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

/** One way of writing it, and a reader for what is written. */
export const ${camel}: FileFormat<"${kebab}", never> = {
  ...Facts.${camel},
  label: "${words[0]!.toUpperCase()}${words.slice(1)}",
  flavours: [],
  writer: async ({ formulaGuard } = {}) => (await import("./${pascal}Writer.ts")).writer({ formulaGuard }),
  read: async (bytes) => {
    const table = (await import("./${pascal}Reader.ts")).read(bytes)
    return table === null ? null : { _tag: "Cells", ...table }
  },
}
`

export const writer = ({ camel }: Name): string => `
/** Pages of records in, lines of text out. The headings come with the first page, so that a read that fails at once leaves no bytes. */
import { Cell, Column, FormulaGuard, TableWriter } from "@deedkit/export"
import type { FormatOptions } from "@deedkit/export/formats"
import * as Facts from "./Facts.ts"

const line = (texts: ReadonlyArray<string>): string => \`\${JSON.stringify(texts)}\\n\`

/** A writer of the format. Texts that a spreadsheet might evaluate are guarded, unless \`formulaGuard\` is off. */
export const writer = ({
  formulaGuard = "on",
}: Pick<FormatOptions, "formulaGuard"> = {}): TableWriter.TableWriter => {
  const guard = formulaGuard === "on" ? FormulaGuard.guard : (text: string) => text
  const textOf = (value: Cell.CellValue): string => {
    const scalar = Cell.scalar(value)
    return typeof scalar === "string" ? guard(scalar) : String(scalar ?? "")
  }
  return TableWriter.ofText(Facts.${camel}, ({ columns }, { headings }) => {
    let pending = line(columns.map((column) => guard(Column.heading(column, headings))))
    const take = (lines: string): string => {
      const taken = pending + lines
      pending = ""
      return taken
    }
    return {
      page: (records) =>
        take(records.map((record) => line(columns.map(({ get }) => textOf(get(record))))).join("")),
      end: () => take(""),
    }
  })
}
`

export const reader = ({ words }: Name): string => `
/** Reads a file of the format ${words} back: the headings and the texts of each row, without the formula guard. */
import { FormulaGuard } from "@deedkit/export"

interface Rows {
  readonly headings: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

/** The table; null for bytes that are none: other text, or rows of other lengths. */
export const read = (bytes: Uint8Array): Rows | null => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    const lines = text.trimEnd().split("\\n").map((each): unknown => JSON.parse(each))
    if (!lines.every(isTexts)) return null
    const [headings = [], ...rows] = lines.map((texts) => texts.map(FormulaGuard.unguard))
    return rows.every((row) => row.length === headings.length) ? { headings, rows } : null
  } catch {
    return null
  }
}
`

export const index = ({ pascal, words }: Name): string => `
/** The format ${words} for tables. */
export { read } from "./${pascal}Reader.ts"
export { writer } from "./${pascal}Writer.ts"
`

export const test = ({ camel, kebab }: Name): string => `
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import type { Table } from "@deedkit/export"
import { TableWriter } from "@deedkit/export"
import { read, writer } from "@deedkit/export-${kebab}"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import { ${camel} } from "../src/Format.ts"

const notes: Table.Table<readonly [number | null, string]> = {
  name: "notes",
  title: "Notes",
  columns: [
    { name: "id", label: "Id", kind: "integer", get: ([id]) => id },
    { name: "text", label: "Text", kind: "text", get: ([, text]) => text },
  ],
  onDemand: [],
}

type Pages = ReadonlyArray<ReadonlyArray<readonly [number | null, string]>>

const writtenBy = async (by: TableWriter.TableWriter, pages: Pages) =>
  Buffer.concat(
    await Effect.runPromise(Stream.runCollect(TableWriter.bytes(by, notes, Stream.fromIterable(pages)))),
  )

const written = (...pages: Pages) => writtenBy(writer(), pages)

it("writes a line of headings and a line a record", async () => {
  const file = await written([[1, "one"]], [[null, "two"]])
  expect(file.toString()).toBe('["Id","Text"]\\n["1","one"]\\n["","two"]\\n')
})

it("guards texts that a spreadsheet might evaluate, and no numbers, unless it is told not to", async () => {
  const pages = [[[-1, "=1+1"] as const]]
  expect((await written(...pages)).toString()).toContain('["-1","\\'=1+1"]')
  const plain = await writtenBy(writer({ formulaGuard: "off" }), pages)
  expect(plain.toString()).toContain('["-1","=1+1"]')
})

it("reads back every text that it wrote", async () => {
  const texts = ["", "=1+1", "'=1+1", 'a "b"\\t;,\\r\\n', "Χανιά 🏠", "\\uD800"]
  const file = await written(texts.map((text, at) => [at, text] as const))
  const rows = texts.map((text, at) => [String(at), text])
  expect(await ${camel}.read(file)).toEqual({ _tag: "Cells", headings: ["Id", "Text"], rows })
})

it("writes headings where there is no record", async () => {
  expect(read(await written())).toEqual({ headings: ["Id", "Text"], rows: [] })
})

it("reads nothing from what is no table", async () => {
  for (const text of ["", "{}", "[1]", '["a","b"]\\n["c"]', "\\u0000"]) {
    expect(await ${camel}.read(new TextEncoder().encode(text))).toBeNull()
  }
  expect(read(new Uint8Array([0xff]))).toBeNull()
})

it("describes itself as its writer does", async () => {
  const { flavours: _flavours, label: _label, read: _read, writer: load, ...facts } = ${camel}
  expect((await load()).format).toEqual(facts)
})

it("loads neither a writer nor a reader before it is asked for one", () => {
  const code = \`
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import("@deedkit/export-${kebab}/format")
    console.log(loaded.map((url) => url.replace(/.*[/]/, "")).toSorted().join(" "))
  \`
  const cwd = join(import.meta.dirname, "..")
  const flags = ["--conditions=@deedkit/source", "--input-type=module", "--eval", code]
  expect(execFileSync(process.execPath, flags, { cwd, encoding: "utf8" }).trim()).toBe(
    "Facts.ts Facts.ts Format.ts Limits.ts formats.ts",
  )
})
`

export const example = ({ kebab }: Name): string => `
/** A page of API keys as the bytes of a file: no file, no network. */
import { Fixtures } from "@deedkit/core/testing"
import { apiKeys, Table, TableWriter } from "@deedkit/export"
import { writer } from "@deedkit/export-${kebab}"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const page = [Fixtures.apiKey({ id: 7, name: "Accounting" }), Fixtures.apiKey({ id: 8, name: "Site" })]
const table = await Effect.runPromise(Effect.fromResult(Table.select(apiKeys, ["id", "name", "revoked_at"])))
const bytes = TableWriter.bytes(writer(), table, Stream.make(page))
const chunks = await Effect.runPromise(Stream.runCollect(bytes))
console.log(new TextDecoder().decode(chunks[0]))

// Output:
// => ["Key","Name","Revoked (UTC)"]
// => ["7","Accounting",""]
// => ["8","Site",""]
`
