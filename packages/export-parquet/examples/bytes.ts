/** A page of API keys as the bytes of a file: no file, no network. */
import { Fixtures } from "@deedkit/core/testing"
import { apiKeys, Table, TableWriter } from "@deedkit/export"
import { writer } from "@deedkit/export-parquet"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const page = [Fixtures.apiKey({ id: 7, name: "Accounting" }), Fixtures.apiKey({ id: 8, name: "Site" })]
const table = await Effect.runPromise(Effect.fromResult(Table.select(apiKeys, ["id", "name", "revoked_at"])))
const bytes = TableWriter.bytes(writer, table, Stream.make(page))
const chunks = await Effect.runPromise(Stream.runCollect(bytes))
console.log(new TextDecoder().decode(chunks[0]))

// Output:
// => ["Key","Name","Revoked (UTC)"]
// => ["7","Accounting",""]
// => ["8","Site",""]
