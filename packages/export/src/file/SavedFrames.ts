/**
 * Saves the frames that a run adds to its journal. They are written in batches: after a short delay, when a buffer is full, or when they are
 * flushed; until then `kill -9` loses them. They are synced from time to time, so that a power failure does not lose earlier frames.
 */
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import * as Appender from "./Appender.ts"
import { fileFailure } from "./fileFailure.ts"

/** How long frames can be only in the memory of this process, in milliseconds. */
const delayMillis = 50

/** How long frames can be only in the system's memory, in milliseconds. There they survive the end of the process, but not a power failure. */
const syncMillis = 5000

export interface SavedFrames {
  readonly add: (frame: Uint8Array) => Effect.Effect<void, ExportError>
  /** Writes the frames that were added. */
  readonly flush: Effect.Effect<void, ExportError>
  /** How many of the added frames are completely written. */
  readonly written: () => number
  /** Where the file ends when all added frames are written. */
  readonly end: () => number
}

/** Adds frames to a file from a position on. */
export const make = (handle: FileHandle, path: string, position: number): SavedFrames => {
  const appender = Appender.make({ handle, path, position, delayMillis })
  /** The ends of frames that are not known to be written yet. */
  const ends: Array<number> = []
  let end = position
  let count = 0
  let syncedAt = performance.now()
  const written = (): number => {
    for (; ends.length > 0 && ends[0]! <= appender.position(); count += 1) ends.shift()
    return count
  }
  const sync = Effect.andThen(
    appender.flush,
    Effect.tryPromise({ try: () => handle.datasync(), catch: fileFailure("write", path) }),
  )
  return {
    add: (frame) => {
      end += frame.byteLength
      ends.push(end)
      written()
      const added = appender.append(frame)
      if (performance.now() - syncedAt < syncMillis) return added
      syncedAt = performance.now()
      return Effect.andThen(added, sync)
    },
    flush: appender.flush,
    written,
    end: () => end,
  }
}
