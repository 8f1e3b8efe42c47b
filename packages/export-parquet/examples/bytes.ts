/** A page of contracts as a Parquet file in memory: no file, no network. */
import { Fixtures } from "@deedkit/core/testing"
import { contracts, Table, TableWriter } from "@deedkit/export"
import { writer } from "@deedkit/export-parquet"
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

// Output:
// => PAR1
