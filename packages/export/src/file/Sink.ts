/**
 * Where bytes go, chunk by chunk. The sinks in this file are standard output, named pipes and devices. They have no final name to wait for: bytes
 * are passed on directly.
 *
 * Every write waits until the chunk is taken, which gives the whole run its back-pressure, and fails as soon as the other side is closed.
 */
import { constants, openSync, write as fsWrite } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { Socket } from "node:net"
import { promisify } from "node:util"
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "./fileFailure.ts"

export interface Sink {
  /** Takes the whole chunk, or fails. The caller must not change the chunk until then. */
  readonly write: (chunk: Uint8Array) => Effect.Effect<void, ExportError>
  /** Ends the writing. If the target is a file, everything written is then on the disk. */
  readonly finish: Effect.Effect<void, ExportError>
  /** Makes the file final. A sink whose scope closes without it leaves nothing that could be mistaken for a whole file. */
  readonly commit: Effect.Effect<void, ExportError>
}

/** Writes a whole chunk. One write of the platform can take less. */
const writeAll = (handle: FileHandle, chunk: Uint8Array, path: string): Effect.Effect<void, ExportError> =>
  Effect.tryPromise({
    try: async () => {
      let offset = 0
      while (offset < chunk.byteLength) {
        offset += (await handle.write(chunk, offset, chunk.byteLength - offset)).bytesWritten
      }
    },
    catch: fileFailure("write", path),
  })

/** Wraps a stream as a sink that fails as soon as the stream fails, and on every later write. */
const listening = (stream: Writable, name: string) => {
  let failure: ExportError | null = null
  let interrupt: (error: ExportError) => void = () => {}
  const fail = (error: ExportError): void => {
    failure ??= error
    interrupt(failure)
  }
  const onError = (cause: Error): void => fail(fileFailure("write", name)(cause))
  const onClose = (): void => fail(new ExportError({ reason: { _tag: "SinkClosed", target: name } }))
  stream.on("error", onError).on("close", onClose)

  const write = (chunk: Uint8Array): Effect.Effect<void, ExportError> =>
    Effect.callback((resume) => {
      interrupt = (error) => resume(Effect.fail(error))
      if (stream.destroyed) onClose()
      if (failure !== null) return interrupt(failure)
      // A stream can pass a chunk on and keep it even after it has reported that the write is done.
      stream.write(new Uint8Array(chunk), (cause) => (cause ? onError(cause) : resume(Effect.void)))
    })
  const release = (): void => {
    stream.off("close", onClose)
    // A broken stream emits its error again later: a listener must remain.
    if (failure === null) stream.off("error", onError)
  }
  return { release, sink: { write, finish: Effect.void, commit: Effect.void } satisfies Sink }
}

/** A stream of the process, usually standard output. It is not ended, because it belongs to the process. `name` is used in errors. */
export const fromStream = (stream: Writable, name = "-"): Effect.Effect<Sink, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => listening(stream, name)),
    ({ release }) => Effect.sync(release),
  ).pipe(Effect.map(({ sink }) => sink))

/** A device, such as `/dev/null`. */
export const device = (path: string): Effect.Effect<Sink, ExportError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => open(path, constants.O_WRONLY), catch: fileFailure("create", path) }),
      (handle) => Effect.promise(() => handle.close().catch(() => {})),
    ),
    (handle): Sink => ({
      write: (chunk) => writeAll(handle, chunk, path),
      finish: Effect.void,
      commit: Effect.void,
    }),
  )

const writeTo = promisify(fsWrite)

/** A file that is already open, at the position of its descriptor. It is not closed, because it belongs to the caller of the process. */
export const descriptor = (fd: number, path: string): Sink => ({
  write: (chunk) =>
    Effect.tryPromise({
      try: async () => {
        for (let left = chunk; left.byteLength > 0;) {
          left = left.subarray((await writeTo(fd, left)).bytesWritten)
        }
      },
      catch: fileFailure("write", path),
    }),
  finish: Effect.void,
  commit: Effect.void,
})

/**
 * A named pipe. Waits for a reader, as a shell does, but can be interrupted: neither opening nor writing occupies a thread.
 */
export const namedPipe = (path: string): Effect.Effect<Sink, ExportError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () =>
        new Socket({
          fd: openSync(path, constants.O_WRONLY | constants.O_NONBLOCK),
          readable: false,
          writable: true,
        }),
      catch: fileFailure("create", path),
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  ).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: hasNoReader }),
    Effect.flatMap((socket) => fromStream(socket, path)),
  )

const hasNoReader = ({ reason }: ExportError): boolean =>
  reason._tag === "FileFailed" && reason.code === "ENXIO"
