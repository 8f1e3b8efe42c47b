import { existsSync } from "node:fs"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writesTo } from "../../src/file/AtomicFile.ts"
import { folder } from "../fixtures/list.ts"

const opened = (path: string) =>
  Effect.acquireRelease(
    Effect.promise(() => open(path, "w")),
    (handle) => Effect.promise(() => handle.close()),
  )

it.effect("go to the file one after the other, and say when they are written", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a")
    const handle = yield* opened(path)
    yield* Effect.promise(() => handle.write("head "))
    const { settled, write } = writesTo(handle, path, 5)
    const written: Array<string> = []
    for (const text of ["one ", "", "two ", "three"]) {
      yield* write(
        () => Buffer.from(text),
        () => void written.push(text),
      )
    }
    yield* settled
    expect(written).toEqual(["one ", "", "two ", "three"])
    expect(yield* Effect.promise(() => readFile(path, "utf8"))).toBe("head one two three")
  }),
)

describe.runIf(existsSync("/dev/full"))("on a disk that is full", () => {
  it.effect("fail from the one after the failed one on, and nothing more is made or written", () =>
    Effect.gen(function* () {
      const path = "/dev/full"
      const { settled, write } = writesTo(yield* opened(path), path)
      const written: Array<number> = []
      let made = 0
      const attempt = write(
        () => Buffer.from([(made += 1)]),
        () => void written.push(made),
      )
      yield* attempt
      for (const next of [settled, attempt, attempt, settled]) {
        expect((yield* Effect.flip(next)).reason._tag).toBe("DiskFull")
      }
      expect([made, written]).toEqual([1, []])
    }),
  )
})
