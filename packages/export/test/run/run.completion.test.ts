import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../../src/run.ts"
import { ndjson } from "../../src/formats/Json.ts"
import type { ReadingChoice } from "../fixtures/resumable.ts"
import { jobOf } from "../fixtures/resumable.ts"
import { folder, rejected } from "../fixtures/list.ts"

const read = (path: string) => Effect.promise(() => readFile(path, "utf8"))

/** Of each page the first record is rejected, and the last one is no longer known. */
const completing =
  (asked: Array<number>): NonNullable<ReadingChoice["completePage"]> =>
  (records) =>
    Effect.sync(() => {
      asked.push(...records.map(({ id }) => id))
      return {
        records: records.slice(1),
        rejected: records.slice(0, 1).map(({ id }) => rejected(id)),
        withoutData: 1,
      }
    })

const exporting = (target: string, asked: Array<number>, failsAt?: number, resume = false) =>
  run({
    jobs: [
      jobOf(
        [
          [6, 5, 4],
          [3, 2, 1],
        ],
        { completePage: completing(asked), failsAt },
      ),
    ],
    outputs: [{ writer: ndjson, target }],
    rejectionLimits: { share: 1 },
    resume,
  })

const expectResult = (target: string, result: Effect.Success<ReturnType<typeof exporting>>) =>
  Effect.gen(function* () {
    expect(yield* read(target)).toBe([5, 4, 2, 1].map((id) => `{"id":${id}}\n`).join(""))
    const rejected = (yield* read(`${target}.rejected.ndjson`)).trimEnd().split("\n")
    expect(rejected.map((line) => (JSON.parse(line) as { readonly id: number }).id)).toEqual([6, 3])
    expect(result.rejected?.records).toBe(2)
    expect(result.manifest).toMatchObject({
      verdict: "partial",
      reasons: [
        "2 records not as specified: rejected, and saved in a separate file.",
        "2 records without the data that was requested.",
      ],
      tables: [{ rows: 4, withoutData: 2 }],
    })
  })

describe("a run that asks for more about each record", () => {
  it.effect("rejects what is not as specified, and counts what is gone", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.ndjson")
      yield* expectResult(target, yield* exporting(target, []))
    }),
  )

  it.effect("remembers both when it is resumed, and requests nothing twice", () =>
    Effect.gen(function* () {
      const target = join(yield* folder, "a.ndjson")
      const asked: Array<number> = []
      expect(yield* Effect.flip(exporting(target, asked, 2))).toBe("offline")
      expect(asked).toEqual([6, 5, 4])
      yield* expectResult(target, yield* exporting(target, asked, undefined, true))
      expect(asked).toEqual([6, 5, 4, 3, 2, 1])
    }),
  )
})
