/**
 * The frames that a run adds to its journal. They are written together: a moment later, when a buffer is full, or when they are flushed; until
 * then `kill -9` loses them. From time to time they are synced, so that a power failure does not lose those before.
 */
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { ExportError } from "../error/ExportError.ts"
import * as Appender from "./Appender.ts"
import { fileFailure } from "./fileFailure.ts"

/** How long frames may be in the memory of this process only. */
const delayMillis = 50

/** How long they may be in the system's memory only, where a power failure loses them, but the end of the process does not. */
const syncMillis = 5000

export interface SavedFrames {
  readonly add: (frame: Uint8Array) => Effect.Effect<void, ExportError>
  /** Writes what was added. */
  readonly flush: Effect.Effect<void, ExportError>
  /** How many frames of those that were added are written whole. */
  readonly written: () => number
  /** Where the file ends once all of them are. */
  readonly end: () => number
}

/** Adds frames to a file from a position on. */
export const make = (handle: FileHandle, path: string, position: number): SavedFrames => {
  const appender = Appender.make({ handle, path, position, delayMillis })
  /** Where each frame ends that was not seen to be written. */
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
