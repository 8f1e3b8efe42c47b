/**
 * Writes to an open file, one after the other. Each waits only for the one before it, so that the next bytes are made while these are written, and
 * no more than two pieces are in memory.
 */
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import { fileFailure } from "./fileFailure.ts"

export interface Writes {
  /**
   * Makes bytes and begins to write them, once the write before has ended. They must not change before the next write, or `settled`, has succeeded.
   * Fails with the error of an earlier write: nothing is written after it. `then` runs when they are written.
   */
  readonly write: (
    bytes: () => Uint8Array,
    then?: () => Promise<void> | void,
  ) => Effect.Effect<void, ExportError>
  /** Waits until everything is written. The operating system then has it, so it is not lost when the process ends. */
  readonly settled: Effect.Effect<void, ExportError>
}

/** Writes from a position on. `path` is named in errors. The file belongs to the caller: it is not closed here, and nothing else writes to it. */
export const make = (handle: FileHandle, path: string, start = 0): Writes => {
  let position = start
  let writing: Promise<ExportError | null> = Promise.resolve(null)
  const put = async (bytes: Uint8Array, then: () => Promise<void> | void): Promise<ExportError | null> => {
    try {
      // One write of the platform can take less than it was given.
      for (let at = 0; at < bytes.byteLength;) {
        const { bytesWritten } = await handle.write(bytes, at, bytes.byteLength - at, position)
        at += bytesWritten
        position += bytesWritten
      }
      await then()
      return null
    } catch (cause) {
      return fileFailure("write", path)(cause)
    }
  }
  const settled = Effect.flatMap(
    Effect.promise(() => writing),
    (failure) => (failure === null ? Effect.void : Effect.fail(failure)),
  )
  return {
    write: (bytes, then = () => {}) =>
      Effect.andThen(
        settled,
        Effect.sync(() => {
          writing = put(bytes(), then)
        }),
      ),
    settled,
  }
}
