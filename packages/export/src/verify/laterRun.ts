/** Finds a later run to the same files that did not finish, by its interrupted manifest or its journal. */
import { open } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Instant from "../table/Instant.ts"
import { interruptedPathOf } from "../proof/Manifest.ts"
import * as Journal from "../run/Journal.ts"
import * as FileLock from "../file/FileLock.ts"
import { readManifest } from "../proof/manifestFile.ts"
import { Reader } from "../run/journalFrames.ts"

export interface LaterRun {
  /** The interrupted manifest or the journal. */
  readonly path: string
  /** `running`: its process is on this machine, and has written within the last hour. */
  readonly state: "interrupted" | "running"
  /** ISO 8601 UTC; null if the file does not say. */
  readonly startedAt: string | null
}

/** Whether a moment is after another. If that is not known, it counts as later, so that no file is called the latest without a reason. */
const isAfter = (moment: unknown, other: unknown): boolean => {
  const millis = typeof moment === "string" ? Instant.of(moment) : null
  const otherMillis = typeof other === "string" ? Instant.of(other) : null
  return millis === null || otherMillis === null || millis > otherMillis
}

/** The run of a journal; null if there is no readable journal. */
const journalOf = (path: string): Effect.Effect<LaterRun | null> =>
  Effect.tryPromise(async (): Promise<LaterRun | null> => {
    const handle = await open(path, "r")
    try {
      const header = await new Reader(handle).header()
      if (header === null) return null
      const state = (await FileLock.isHeld(handle)) ? "running" : "interrupted"
      return { path, state, startedAt: header.startedAt }
    } finally {
      await handle.close()
    }
  }).pipe(Effect.orElseSucceed(() => null))

const interruptedOf = (path: string, endedAt: unknown): Effect.Effect<LaterRun | null> =>
  readManifest(path).pipe(
    Effect.map(({ manifest }): LaterRun | null =>
      isAfter(manifest.endedAt, endedAt)
        ? { path, state: "interrupted", startedAt: manifest.startedAt }
        : null,
    ),
    Effect.catch(({ reason }) =>
      Effect.succeed<LaterRun | null>(
        reason._tag === "FileMissing" ? null : { path, state: "interrupted", startedAt: null },
      ),
    ),
  )

/** Searches beside the files of a run that ended at `endedAt`. */
export const laterRun = (
  folder: string,
  names: ReadonlyArray<string>,
  endedAt: unknown,
): Effect.Effect<LaterRun | null> =>
  Effect.gen(function* () {
    for (const name of names) {
      const path = join(folder, name)
      const journal = yield* journalOf(Journal.pathOf(path))
      if (journal?.state === "running") return journal
      const left = yield* interruptedOf(interruptedPathOf(path), endedAt)
      if (left !== null) return left
      if (journal !== null && isAfter(journal.startedAt, endedAt)) return journal
    }
    return null
  })
