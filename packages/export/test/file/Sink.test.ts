import { execFileSync, spawn } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PassThrough, Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Sink } from "../../src/file/AtomicFile.ts"
import { openSink } from "../../src/file/Target.ts"
import { hasNamedPipes, readFirstLine } from "../fixtures/otherPrograms.ts"
import { folder } from "../fixtures/list.ts"

const toStream = (stdout: Writable) => openSink({ _tag: "Stdout" }, { overwrite: false, stdout })
const toPath = (_tag: "NamedPipe" | "Device", path: string) =>
  openSink({ _tag, path }, { overwrite: false, stdout: process.stdout })

const chunk = new Uint8Array(64 * 1024).fill(97)
const forever = (sink: Sink) => Effect.flip(Effect.forever(sink.write(chunk)))

it.effect("writes to a stream, waits until each chunk is taken, and does not end it", () =>
  Effect.gen(function* () {
    const stream = new PassThrough()
    const listeners = () => stream.listenerCount("error") + stream.listenerCount("close")
    const before = listeners()
    yield* Effect.scoped(
      Effect.flatMap(toStream(stream), (sink) =>
        Effect.andThen(sink.write(chunk.subarray(0, 3)), sink.commit),
      ),
    )
    expect(stream.writableEnded).toBe(false)
    expect(listeners()).toBe(before)
    stream.end()
    expect(yield* Effect.promise(() => text(stream))).toBe("aaa")
  }),
)

it.effect("gives a stream bytes of its own, which may be read after the chunk was written over", () =>
  Effect.gen(function* () {
    const stream = new PassThrough()
    const lent = Uint8Array.of(97, 98)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const sink = yield* toStream(stream)
        yield* sink.write(lent)
        lent.fill(120)
        yield* sink.write(Buffer.from("c"))
      }),
    )
    stream.end()
    expect(yield* Effect.promise(() => text(stream))).toBe("abc")
  }),
)

it.live("fails as soon as the program that reads has ended", () =>
  Effect.gen(function* () {
    const reader = spawn(process.execPath, readFirstLine, { stdio: ["pipe", "ignore", "ignore"] })
    const error = yield* Effect.scoped(Effect.flatMap(toStream(reader.stdin), forever))
    expect(error.reason).toEqual({ _tag: "SinkClosed", target: "-" })
  }),
)

it.effect("fails a write that a stream never answers when the stream closes", () =>
  Effect.gen(function* () {
    const stream = new Writable({ write: () => {} })
    const error = yield* Effect.scoped(
      Effect.gen(function* () {
        const sink = yield* toStream(stream)
        const writing = yield* Effect.forkChild(Effect.flip(sink.write(chunk)), { startImmediately: true })
        stream.destroy()
        return yield* Fiber.join(writing)
      }),
    )
    expect(error.reason._tag).toBe("SinkClosed")
  }),
)

it.effect("fails at once when the stream was closed before", () =>
  Effect.gen(function* () {
    const stream = new PassThrough()
    stream.destroy()
    const error = yield* Effect.scoped(Effect.flatMap(toStream(stream), forever))
    expect(error.reason._tag).toBe("SinkClosed")
  }),
)

it.effect("says that a full device is full", () =>
  Effect.gen(function* () {
    const error = yield* Effect.scoped(Effect.flatMap(toPath("Device", "/dev/full"), forever))
    expect(error.reason).toEqual({ _tag: "DiskFull", path: "/dev/full" })
  }),
)

it.live.runIf(hasNamedPipes)("waits for the reader of a named pipe and gives it everything", () =>
  Effect.gen(function* () {
    const pipe = join(yield* folder, "pipe")
    execFileSync("mkfifo", [pipe])
    const writing = yield* Effect.forkChild(
      Effect.scoped(
        Effect.flatMap(toPath("NamedPipe", pipe), (sink) =>
          Effect.forEach([1, 2, 3, 4], () => sink.write(chunk), { discard: true }),
        ),
      ),
      { startImmediately: true },
    )
    const taken = yield* Effect.promise(() => readFile(pipe))
    yield* Fiber.join(writing)
    expect(taken.byteLength).toBe(4 * chunk.byteLength)
  }),
)

it.live.runIf(hasNamedPipes)("can be interrupted while a named pipe has no reader", () =>
  Effect.gen(function* () {
    const pipe = join(yield* folder, "pipe")
    execFileSync("mkfifo", [pipe])
    const writing = yield* Effect.forkChild(Effect.scoped(toPath("NamedPipe", pipe)), {
      startImmediately: true,
    })
    yield* Fiber.interrupt(writing)
  }),
)

it.live.runIf(hasNamedPipes)("fails when the reader of a named pipe goes away", () =>
  Effect.gen(function* () {
    const at = yield* folder
    const pipe = join(at, "pipe")
    execFileSync("mkfifo", [pipe])
    spawn(process.execPath, [...readFirstLine, pipe], { stdio: "ignore" })
    const error = yield* Effect.scoped(Effect.flatMap(toPath("NamedPipe", pipe), forever))
    expect(error.reason).toEqual({ _tag: "SinkClosed", target: pipe })
  }),
)

it.effect("says which path could not be opened", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "missing")
    expect((yield* Effect.scoped(Effect.flip(toPath("Device", path)))).reason).toMatchObject({
      path,
      code: "ENOENT",
    })
    yield* Effect.promise(() => writeFile(path, ""))
    expect((yield* Effect.scoped(Effect.flip(toPath("NamedPipe", join(path, "x"))))).reason).toMatchObject({
      code: "ENOTDIR",
    })
  }),
)
