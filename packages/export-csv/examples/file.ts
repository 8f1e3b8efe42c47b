/** A whole run: one page of API keys to a file, and a rejected record, which is not as specified, to the file beside it. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Fixtures } from "@deedkit/core/testing"
import { apiKeys } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import { job, run } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const key = {
  id: 7,
  name: "Accounting",
  scopes: ["read:contracts", "read:me"],
  created_at: "2025-11-03T08:00:00Z",
  last_used_at: null,
  revoked_at: null,
}
const rejected = {
  id: 8,
  issues: [{ path: "name", expected: "string", found: "null" }],
  raw: { id: 8, name: null },
}

/** What `client.apiKeys.pages({ onRejected: "collect" })` streams. */
const pages = Stream.make(Fixtures.page([key], { rejected: [rejected] }))

const folder = await mkdtemp(join(tmpdir(), "deedkit-"))
const target = join(folder, "keys.csv")
const exporting = run({
  jobs: [job({ table: apiKeys, pages: () => pages })],
  outputs: [{ writer: Csv.writer(), target }],
})
const { manifest } = await Effect.runPromise(exporting)
console.log(
  `${manifest.verdict}: ${manifest.files[0]?.tables["keys"]} row, ${manifest.files[0]?.bytes} bytes`,
)
console.log(await readFile(target, "utf8"))

const refused = await Effect.runPromise(Effect.flip(exporting))
console.log(refused._tag === "ExportError" && refused.reason._tag)
console.log((await readdir(folder)).join(" "))
await rm(folder, { recursive: true })

// Output:
// => partial: 1 row, 143 bytes
// => Key,Name,Scopes,Created (UTC),Last used (UTC),Revoked (UTC),Other members (JSON)
// => 7,Accounting,read:contracts read:me,2025-11-03T08:00:00Z,,,
// =>
// => TargetExists
// => keys.csv keys.csv.manifest.json keys.csv.rejected.ndjson
