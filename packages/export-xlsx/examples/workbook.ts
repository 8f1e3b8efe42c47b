/** A workbook of two sheets, written to memory and read back by another program's library. */
import { apiKeys, contracts, Table } from "@deedkit/export"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Effect from "effect/Effect"
import { read, utils } from "xlsx"

const loft = {
  id: 4711,
  listing_id: 12,
  kind: "rent",
  status: "active",
  created_at: "2026-03-01T09:30:00Z",
  updated_at: "2026-03-02T10:00:00Z",
  unit_id: null,
  unit_label: "007",
  template_id: 3,
  listing: { id: 12, slug: "harbour-loft", title: "=1+1", city: "Χανιά", area: "Old port" },
}

const table = await Effect.runPromise(
  Effect.fromResult(Table.select(contracts, ["id", "unit_label", "listing.title", "created_at"])),
)
const chunks: Array<Uint8Array> = []
await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* Xlsx.writer({ level: "small" }).open({
        write: (chunk) => Effect.sync(() => void chunks.push(chunk)),
      })
      const first = yield* file.sheet(table)
      yield* first.add([loft])
      yield* first.end
      const second = yield* file.sheet(apiKeys)
      yield* second.end
      yield* file.end
    }),
  ),
)

const workbook = read(Buffer.concat(chunks))
for (const name of workbook.SheetNames) {
  console.log(`${name}: ${workbook.Sheets[name]?.["!ref"]}`)
  for (const row of utils.sheet_to_json(workbook.Sheets[name]!, { header: 1 }))
    console.log(JSON.stringify(row))
}

// Output:
// => Contracts: A1:D2
// => ["Contract","Unit","Listing","Created (UTC)"]
// => [4711,"007","=1+1",46082.395833333336]
// => API keys: A1:G1
// => ["Key","Name","Scopes","Created (UTC)","Last used (UTC)","Revoked (UTC)","Other members (JSON)"]
