/** Pages of contracts as the bytes of a CSV file for Excel in Europe: no file, no network. */
import { contracts, Table, TableWriter } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const contract = {
  id: 4711,
  listing_id: 12,
  kind: "rent",
  status: "active",
  created_at: "2026-03-01T09:30:00Z",
  updated_at: "2026-03-02T10:00:00Z",
  unit_id: 9007199254740993n,
  unit_label: "2A; back",
  template_id: 3,
  listing: {
    id: 12,
    slug: "harbour-loft",
    title: '=HYPERLINK("https://example.test")',
    city: "Χανιά",
    area: "Old port",
  },
}

const table = await Effect.runPromise(
  Effect.fromResult(
    Table.select(contracts, ["id", "unit_label", "listing.title", "listing.city", "unit_id"]),
  ),
)
const bytes = TableWriter.bytes(Csv.writer({ flavour: "excel-eu" }), table, Stream.make([contract], []))
const chunks = await Effect.runPromise(Stream.runCollect(bytes))
console.log(new TextDecoder().decode(chunks[0]))

// Output:
// => Contract;Unit;Listing;City;Unit id
// => 4711;"2A; back";"'=HYPERLINK(""https://example.test"")";Χανιά;9007199254740993
