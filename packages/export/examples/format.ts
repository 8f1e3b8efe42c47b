/** A format of one's own in a few lines, over a table with chosen columns. */
import type { Contract } from "@deedkit/core"
import { Column, contracts, Table, TableWriter, TextBytes } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const line = (cells: ReadonlyArray<unknown>) => `| ${cells.join(" | ")} |\n`

const markdown = TextBytes.ofBytes(
  { name: "markdown", extensions: ["md"], mediaType: "text/markdown", limits: TableWriter.unlimited },
  ({ columns }, { headings }, bytes) => {
    const labels = columns.map((column) => Column.heading(column, headings))
    let head = line(labels) + line(labels.map(() => "---"))
    const put = (body: string): void => {
      bytes.writeText(head + body)
      head = ""
    }
    return {
      page: (records) =>
        put(records.map((record) => line(columns.map(({ get }) => get(record) ?? ""))).join("")),
      end: () => put(""),
    }
  },
)

const loft: Contract.Contract = {
  id: 4711,
  listing_id: 12,
  kind: "rent",
  status: "active",
  created_at: "2026-03-01T09:30:00Z",
  updated_at: "2026-03-02T10:00:00Z",
  unit_id: null,
  unit_label: "2A",
  template_id: 3,
  listing: { id: 12, slug: "harbour-loft", title: "Harbour loft", city: "Chania", area: "Old port" },
}
const house: Contract.Contract = { ...loft, id: 4712, listing_id: null, unit_label: "House", listing: null }

const table = await Effect.runPromise(
  Effect.fromResult(Table.select(contracts, ["id", "unit_label", "listing.city"])),
)
const bytes = TableWriter.bytes(markdown, table, Stream.make([loft], [house]))
await Effect.runPromise(Stream.runForEach(bytes, (chunk) => Effect.sync(() => process.stdout.write(chunk))))

const misspelt = await Effect.runPromise(
  Effect.flip(Effect.fromResult(Table.select(contracts, ["id", "citi"]))),
)
console.log(misspelt.message)

// Output:
// => | Contract | Unit | City |
// => | --- | --- | --- |
// => | 4711 | 2A | Chania |
// => | 4712 | House |  |
// => There is no column "citi". Did you mean "listing.city"? The columns are: id, status, kind, unit_label, listing.title, listing.city, listing.area, created_at, updated_at, unit_id, listing_id, listing.slug, template_id, listing.id, extra.
