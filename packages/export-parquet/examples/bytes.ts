/** A page of contracts as a Parquet file in memory, and back: no file, no network. */
import { Fixtures } from "@deedkit/core/testing"
import { contracts, Table, TableWriter } from "@deedkit/export"
import { read, writer } from "@deedkit/export-parquet"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const listing = { id: 12, slug: "harbour-loft", title: "Harbour loft", city: "Χανιά", area: "Old port" }
const page = [{ ...Fixtures.contract({ id: 4711, unit_id: 9007199254740993n as never }), listing }]
const table = await Effect.runPromise(
  Effect.fromResult(Table.select(contracts, ["id", "listing.city", "created_at", "unit_id"])),
)
const chunks = await Effect.runPromise(
  Stream.runCollect(TableWriter.bytes(writer(), table, Stream.make(page))),
)
const bytes = Buffer.concat(chunks)
console.log(bytes.toString("latin1", 0, 4))
console.log(await read(bytes))

// Output:
// => PAR1
// => {
// =>   headings: [ 'id', 'listing.city', 'created_at', 'unit_id' ],
// =>   rows: [ [ '4711', 'Χανιά', '2026-01-01T09:30:00Z', '9007199254740993' ] ]
// => }
