import { existsSync } from "node:fs"
import { mkdtemp, open, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { vi } from "vitest"
import * as Appender from "../../src/file/Appender.ts"
import { folder } from "../fixtures/list.ts"

const capacity = 262_144

const opened = (path: string, flags = "w") =>
  Effect.acquireRelease(
    Effect.promise(() => open(path, flags)),
    (handle) => Effect.promise(() => handle.close()),
  )
const read = (path: string) => Effect.promise(() => readFile(path))

it.effect("writes nothing before the buffer is full or flushed", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.csv")
    const { append, flush, position } = Appender.make({ handle: yield* opened(path), path })
    yield* append(Buffer.alloc(capacity - 1, "a"))
    yield* append(Buffer.from("b"))
    expect([position(), (yield* read(path)).byteLength]).toEqual([0, 0])
    yield* append(Buffer.from("c"))
    expect([position(), (yield* read(path)).byteLength]).toEqual([capacity, capacity])
    yield* flush
    expect((yield* read(path)).toString("utf8", capacity - 2)).toBe("abc")
    yield* flush
    expect(position()).toBe(capacity + 1)
  }),
)

it("writes everything once and in order, though the caller reuses its memory and a delay ends at any time", async () => {
  const at = await mkdtemp(join(tmpdir(), "deedkit-appender-"))
  const path = join(at, "a.csv")
  const size = fc.oneof(fc.nat(2_000), fc.nat(2 * capacity), fc.constantFrom(capacity, capacity + 1))
  const property = fc.asyncProperty(fc.array(size), fc.nat(3), async (sizes, delayMillis) => {
    const handle = await open(path, "w")
    await handle.write("abc")
    const { append, flush, position } = Appender.make({ handle, path, position: 3, delayMillis })
    const wanted: Array<Uint8Array> = [Buffer.from("abc")]
    const memory = Buffer.alloc(3 * capacity)
    for (const [number, bytes] of sizes.entries()) {
      const piece = memory.subarray(0, bytes).fill(number + 1)
      wanted.push(Buffer.from(piece))
      await Effect.runPromise(append(piece))
      memory.fill(0)
    }
    await Effect.runPromise(flush)
    await handle.close()
    const whole = Buffer.concat(wanted)
    expect((await readFile(path)).equals(whole)).toBe(true)
    expect(position()).toBe(whole.byteLength)
  })
  await fc.assert(property, { numRuns: 60 })
  await rm(at, { recursive: true })
})

it.effect("writes after a delay what nothing else writes", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "a.csv")
    const { append, position } = Appender.make({ handle: yield* opened(path), path, delayMillis: 1 })
    for (const text of ["one", "two"]) {
      yield* append(Buffer.from(text))
      yield* Effect.promise(() =>
        vi.waitFor(async () => expect(await readFile(path, "utf8")).toContain(text)),
      )
    }
    expect(position()).toBe(6)
  }),
)

describe.runIf(existsSync("/dev/full"))("on a disk that is full", () => {
  it.effect("every append fails after a write that failed, and nothing more is written", () =>
    Effect.gen(function* () {
      const path = "/dev/full"
      const { append, flush, position } = Appender.make({ handle: yield* opened(path), path })
      yield* append(Buffer.from("one"))
      for (const next of [flush, append(Buffer.from("two")), append(Buffer.alloc(2 * capacity)), flush]) {
        expect((yield* Effect.flip(next)).reason._tag).toBe("DiskFull")
      }
      expect(position()).toBe(0)
    }),
  )
})
