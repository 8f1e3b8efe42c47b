/**
 * Appends to a file in large writes, because a write call costs as much as many kilobytes. Appended bytes are copied into a buffer, so that the
 * caller can reuse its memory, and are written when the buffer is full, when it is flushed, or after a delay.
 */
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "./fileFailure.ts"

export interface Appender {
  /** Waits only when the buffer is full. Also fails with the error of an earlier write: after a failed write, nothing more is written. */
  readonly append: (piece: Uint8Array) => Effect.Effect<void, ExportError>
  /** Writes everything that was appended. The operating system then has it, so it is not lost when the process ends. */
  readonly flush: Effect.Effect<void, ExportError>
  /** The position in the file where the written bytes end. */
  readonly position: () => number
}

export interface AppenderOptions {
  readonly handle: FileHandle
  /** Named in errors. */
  readonly path: string
  /** Where to begin in the file. Default 0. */
  readonly position?: number | undefined
  /** Longest time until appended bytes are written, in milliseconds. Default: no limit, so they can wait until the buffer is full. */
  readonly delayMillis?: number | undefined
}

/** Size of a buffer, in bytes. There are two: one is filled while the other is written. */
const capacity = 262_144

/** Makes an appender. The file belongs to the caller: it is not closed here, and nothing else writes to it. */
export const make = ({ delayMillis, handle, path, position: start = 0 }: AppenderOptions): Appender => {
  let position = start
  let filling: Buffer | null = null
  let spare: Buffer | null = null
  let used = 0
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  let failure: ExportError | null = null

  /** Writes after all writes under way. Never rejects. */
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
