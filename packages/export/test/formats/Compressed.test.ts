import { spawnSync } from "node:child_process"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { compressed } from "../../src/formats/Compressed.ts"
import { ndjson } from "../../src/formats/Json.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import { bytes } from "../../src/write/TableWriter.ts"

const records = Array.from({ length: 3_000 }, (_, id) => Fixtures.contract({ id: id + 1 }))
const pages = Array.from({ length: 30 }, (_, at) => records.slice(at * 100, at * 100 + 100))

const written = async (writer: typeof ndjson, list: ReadonlyArray<ReadonlyArray<Contract.Contract>>) =>
  Buffer.concat(
    await Effect.runPromise(Stream.runCollect(bytes(writer, contracts, Stream.fromIterable(list)))),
  )

describe.each(["gz", "zst"] as const)("a file packed as .%s", (packing) => {
  const writer = compressed(ndjson, packing)
  const unpack = packing === "gz" ? gunzipSync : zstdDecompressSync

  it("holds what the format writes, is smaller, and is the same each time", async () => {
    const plain = await written(ndjson, pages)
    const packed = await written(writer, pages)
    expect(unpack(packed).equals(plain)).toBe(true)
    expect(packed.byteLength).toBeLessThan(plain.byteLength / 5)
    expect((await written(writer, pages)).equals(packed)).toBe(true)
  })

  it("is one also without a byte in it", async () => {
    expect(unpack(await written(writer, []))).toHaveLength(0)
  })

  const program = packing === "gz" ? "gzip" : "zstd"
  const isThere = spawnSync(program, ["--version"]).status === 0
  if (!isThere) console.warn(`SKIPPED: ${program} is not installed, so it unpacks nothing.`)
  it.skipIf(!isThere)(`is unpacked by ${program}`, async () => {
    const { status, stdout } = spawnSync(program, ["-dc"], {
      input: await written(writer, pages),
      maxBuffer: 64_000_000,
    })
    expect(status).toBe(0)
    expect(stdout.equals(await written(ndjson, pages))).toBe(true)
  })

  it("says what it is", () => {
    expect(writer.format).toMatchObject({
      name: "ndjson",
      extensions: [`ndjson.${packing}`, `jsonl.${packing}`],
      sheets: "one",
    })
  })

  it("has no byte before the first page", async () => {
    const chunks: Array<Uint8Array> = []
    const stream = bytes(writer, contracts, Stream.fail("offline" as const))
    const failed = Effect.flip(Stream.runForEach(stream, (chunk) => Effect.sync(() => chunks.push(chunk))))
    expect([await Effect.runPromise(failed), chunks]).toEqual(["offline", []])
  })
})
