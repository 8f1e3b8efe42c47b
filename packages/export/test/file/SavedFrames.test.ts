import { existsSync } from "node:fs"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { saveFrames } from "../../src/run/journalFrames.ts"
import { folder } from "../fixtures/list.ts"

const opened = (path: string) =>
  Effect.acquireRelease(
    Effect.promise(() => open(path, "w")),
    (handle) => Effect.promise(() => handle.close()),
  )
const frame = Buffer.from("frame")

it.effect("are written a moment later, though nothing follows, and count from then on", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.resume")
    const saved = saveFrames(yield* opened(path), path, 0)
    yield* saved.add(frame)
    yield* saved.add(frame)
    expect([saved.written(), saved.end()]).toEqual([0, 10])
    yield* Effect.promise(() => vi.waitFor(() => expect(saved.written()).toBe(2)))
    expect(yield* Effect.promise(() => readFile(path, "utf8"))).toBe("frameframe")
  }),
)

it.effect("follow what the file holds, and count once they are flushed", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.resume")
    const handle = yield* opened(path)
    yield* Effect.promise(() => handle.write("head "))
    const saved = saveFrames(handle, path, 5)
    const large = Buffer.alloc(300_000, "x")
    for (const next of [frame, large, frame]) yield* saved.add(next)
    expect(saved.written()).toBe(2)
    yield* saved.flush
    expect([saved.written(), saved.end()]).toEqual([3, 300_015])
    const written = yield* Effect.promise(() => readFile(path))
    expect(written.equals(Buffer.concat([Buffer.from("head "), frame, large, frame]))).toBe(true)
  }),
)

describe.runIf(existsSync("/dev/full"))("on a disk that is full", () => {
  it.effect("frames do not count", () =>
    Effect.gen(function* () {
      const path = "/dev/full"
      const saved = saveFrames(yield* opened(path), path, 0)
      yield* saved.add(frame)
      expect((yield* Effect.flip(saved.flush)).reason._tag).toBe("DiskFull")
      expect((yield* Effect.flip(saved.add(frame))).reason._tag).toBe("DiskFull")
      expect(saved.written()).toBe(0)
    }),
  )
})
