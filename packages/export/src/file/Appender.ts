/**
 * Appends to a file in large writes, because each write of the platform costs as much as many kilobytes: what is appended is copied into a
 * buffer, so that the caller can reuse its memory, and is written when the buffer is full, when it is flushed, or after a delay.
 */
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "./fileFailure.ts"

export interface Appender {
  /** Waits only when the buffer is full. Fails with the error of an earlier write too: nothing is written after a write that failed. */
  readonly append: (piece: Uint8Array) => Effect.Effect<void, ExportError>
  /** Writes what was appended. The system has it then, so that the end of the process does not lose it. */
  readonly flush: Effect.Effect<void, ExportError>
  /** The end of what was written, as a position in the file. */
  readonly position: () => number
}

export interface AppenderOptions {
  readonly handle: FileHandle
  /** For errors. */
  readonly path: string
  /** Where to begin in the file. Default 0. */
  readonly position?: number | undefined
  /** The longest time after which what was appended is written, in milliseconds. Default: it can wait for the buffer to be full. */
  readonly delayMillis?: number | undefined
}

/** Of a buffer. There are two: one is filled while the other is written. */
const capacity = 262_144

/** Makes an appender. The file is the caller's: it is not closed here, and nobody else writes to it. */
export const make = ({ delayMillis, handle, path, position: start = 0 }: AppenderOptions): Appender => {
  let position = start
  let filling: Buffer | null = null
  let spare: Buffer | null = null
  let used = 0
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let failure: ExportError | null = null

  /** Writes after everything that is being written. Never rejects. */
  const write = (bytes: Uint8Array): Promise<void> => {
    writing = writing.then(async () => {
      if (failure !== null) return
      try {
        for (let at = 0; at < bytes.byteLength;) {
          const { bytesWritten } = await handle.write(bytes, at, bytes.byteLength - at, position)
          at += bytesWritten
          position += bytesWritten
        }
      } catch (cause) {
        failure = fileFailure("write", path)(cause)
      }
    })
    return writing
  }
  const writeFilled = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const filled = filling
    if (filled === null || used === 0) return writing
    const bytes = filled.subarray(0, used)
    filling = spare
    spare = null
    used = 0
    await write(bytes)
    spare = filled
  }
  const settled = Effect.suspend(() => (failure === null ? Effect.void : Effect.fail(failure)))
  const flush = Effect.andThen(
    Effect.promise(() => writeFilled()),
    settled,
  )
  const fill = (piece: Uint8Array): void => {
    filling ??= Buffer.allocUnsafeSlow(capacity)
    filling.set(piece, used)
    used += piece.byteLength
    if (delayMillis !== undefined) timer ??= setTimeout(() => void writeFilled(), delayMillis)
  }
  return {
    append: (piece) =>
      Effect.suspend(() => {
        if (failure !== null) return Effect.fail(failure)
        if (used + piece.byteLength <= capacity) return Effect.sync(() => fill(piece))
        const rest =
          piece.byteLength > capacity
            ? Effect.andThen(
                Effect.promise(() => write(piece)),
                settled,
              )
            : Effect.sync(() => fill(piece))
        return Effect.andThen(flush, rest)
      }),
    flush,
    position: () => position,
  }
}
