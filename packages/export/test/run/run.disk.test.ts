import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../../src/run.ts"
import { ndjson } from "../../src/formats/Json.ts"
import type { RunOptions } from "../../src/run.ts"
import * as RecordFile from "../../src/RecordFile.ts"
import { bookOf } from "../fixtures/book.ts"
import { jobOf, type offline } from "../fixtures/resumable.ts"
import { enlarge, hasSmallDisks, smallDisk } from "../fixtures/smallDisk.ts"
import { rejected } from "../fixtures/list.ts"

const list = (path: string) => Effect.promise(() => readdir(path))
const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))

const pages = 60
const ids = Array.from({ length: pages }, (_, page) =>
  Array.from({ length: 20 }, (__, at) => 1_000_000_000 + page * 20 + at),
)
const whole = ids
  .flat()
  .map((id) => `{"id":${id}}\n`)
  .join("")

const exporting = (at: string, options: Partial<RunOptions<typeof offline, never>> = {}) =>
  run({
    jobs: [jobOf(ids, { more: { rejected: [] } })],
    outputs: [
      { writer: ndjson, target: join(at, "a.ndjson") },
      { writer: bookOf(), target: join(at, "b.book") },
    ],
    ...options,
  })

describe.runIf(hasSmallDisks)("a disk that is full", () => {
  for (const kilobytes of [4, 8, 12, 16, 20, 32, 48, 64]) {
    it.effect(`after ${kilobytes} kB leaves older files and no part of new ones, and can be resumed`, () =>
      Effect.gen(function* () {
        const at = yield* smallDisk(kilobytes)
        yield* Effect.promise(() => writeFile(join(at, "b.book"), "old"))
        const error = yield* Effect.flip(exporting(at, { overwrite: true }))
        expect(error).toMatchObject({ reason: { _tag: "DiskFull" } })
        const names = yield* list(at)
        expect(names.filter((name) => name.endsWith(".part"))).toEqual([])
        expect(names).not.toContain("a.ndjson")
        expect(yield* read(join(at, "b.book"))).toBe("old")
        const left = yield* RecordFile.look(join(at, "a.ndjson"))
        expect(names.includes("a.ndjson.part.records")).toBe(left !== null)

        yield* enlarge(at, 1024)
        const asked: Array<number> = []
        const again = { jobs: [jobOf(ids, { asked })], overwrite: true, resume: true }
        const { manifest } = yield* exporting(at, again)
        expect(asked).toHaveLength(pages - (left?.pages ?? 0))
        expect(manifest).toMatchObject({ verdict: "complete", isResumed: left !== null })
        expect(yield* read(join(at, "a.ndjson"))).toBe(whole)
        expect((yield* list(at)).toSorted()).toEqual([
          "a.ndjson",
          "a.ndjson.manifest.json",
          "b.book",
          "b.book.manifest.json",
        ])
      }),
    )
  }

  it.effect("with rejected records on it is no different", () =>
    Effect.gen(function* () {
      const at = yield* smallDisk(32)
      const jobs = () => [jobOf(ids, { more: { rejected: [rejected(7), rejected(8)] } })]
      const rejectionLimits = { records: 1000, share: 1 }
      const error = yield* Effect.flip(exporting(at, { jobs: jobs(), rejectionLimits }))
      expect(error).toMatchObject({ reason: { _tag: "DiskFull" } })
      expect((yield* list(at)).filter((name) => !name.startsWith("a.ndjson.part.records"))).toEqual(
        expect.not.arrayContaining([expect.stringContaining("rejected"), expect.stringContaining(".part")]),
      )
      yield* enlarge(at, 1024)
      const result = yield* exporting(at, { jobs: jobs(), rejectionLimits, resume: true })
      expect(result.rejected?.records).toBe(2 * pages)
      expect((yield* read(join(at, "a.ndjson.rejected.ndjson"))).split("\n")).toHaveLength(2 * pages + 1)
    }),
  )
})
