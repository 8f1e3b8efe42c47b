/**
 * The lock of the folder for settings, for one process at a time. The system holds it, so it ends with its process, however that ends. The locked file
 * stays; it has the id and the machine of the process that locked it last, for the message about a lock that is held too long.
 */
import type { FileHandle } from "node:fs/promises"
import { constants } from "node:fs"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import * as OwnFile from "@deedkit/core/own-file"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../failure/Failure.ts"
import { codeOf, readOnlySettings, storeError } from "../failure/Failure.ts"

/** How often a held lock is tried, and the minimum number of milliseconds between two tries. */
export interface Patience {
  readonly tries: number
  readonly millis: number
}

/** At least 15 seconds. Work under a lock takes milliseconds. */
const usual: Patience = { tries: 600, millis: 25 }

/** The lock of the folder that a file is in. */
export const beside = (path: string): string => join(dirname(path), "lock")

const Held = Context.Reference<ReadonlySet<string>>("deedkit/HeldLocks", { defaultValue: () => new Set() })

const failed =
  (lock: string) =>
  (cause: unknown): Failure =>
    storeError({
      kind: "failed",
      path: dirname(lock),
      problem: `The folder ${dirname(lock)} could not be written (${codeOf(cause)})`,
      advice:
        codeOf(cause) === "EROFS" ? readOnlySettings : "Check the folder: it must be your own, and writable.",
    })

/** Tries once. Null if another process has the lock. */
const tryLock = (lock: string): Effect.Effect<FileHandle | null, Failure> =>
  Effect.tryPromise({
    try: async () => {
      const { FileLock } = await import("@deedkit/export/run")
      await OwnFile.makeFolder(dirname(lock), 0o700)
      const handle = await OwnFile.open(
        lock,
        constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT,
        0o600,
      )
      if ((await FileLock.lock(handle, lock, 1)) !== "locked") {
        await handle.close()
        return null
      }
      const owner = `${process.pid} ${hostname()}`
      await handle
        .truncate()
        .then(() => handle.appendFile(owner))
        .catch(() => {})
      return handle
    },
    catch: failed(lock),
  })

const busy = async (lock: string, { millis, tries }: Patience): Promise<Failure> => {
  const [, pid, host] =
    /^(\d+) (.*)$/.exec(String(await OwnFile.read(lock, { most: 1_024 }).catch(() => ""))) ?? []
  const who = pid === undefined ? "" : ` (process ${pid}${host === hostname() ? "" : ` on ${host}`})`
  return storeError({
    kind: "failed",
    path: lock,
    problem: `Another deedkit${who} has locked the folder ${dirname(lock)} for at least ${Math.round((tries * millis) / 1_000)} seconds`,
    advice: "Try again when it has ended.",
  })
}

/**
 * Runs an effect under the lock, a path in a folder that is created if needed. The effect can acquire the lock again. Fails if the folder cannot be
 * written, or if another process holds the lock for longer than `patience`.
 */
export const hold =
  (lock: string, patience: Patience = usual) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Failure, R> =>
    Effect.gen(function* () {
      const held = yield* Held
      if (held.has(lock)) return yield* effect
      const locked = Effect.provideService(effect, Held, new Set([...held, lock]))
      // An interrupt between lock and release would leave a lock that ends only with the process.
      return yield* Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          for (let tries = 0; tries < patience.tries; tries += 1) {
            const handle = yield* tryLock(lock)
            if (handle !== null) {
              return yield* Effect.ensuring(
                restore(locked),
                Effect.promise(() => handle.close()),
              )
            }
            yield* restore(Effect.sleep(patience.millis * (1 + Math.random())))
          }
          return yield* yield* Effect.promise(() => busy(lock, patience))
        }),
      )
    })
