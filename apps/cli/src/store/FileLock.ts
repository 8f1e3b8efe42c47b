/**
 * A lock for one process at a time, which does not outlive a killed process.
 *
 * The lock is a folder with one file in it, named after its owner. A process creates such a folder under a unique name and renames it to the lock's
 * name. The system allows that only if the name is free or an empty folder. A lock whose process is gone is released by removing its file: no other
 * owner ever has that name, so this cannot release a lock that was acquired in the meantime. The lock does not depend on a clock.
 */
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as LockOwner from "./LockOwner.ts"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

/** How often a held lock is tried, and the minimum number of milliseconds between two tries. */
export interface Patience {
  readonly tries: number
  readonly millis: number
}

/** At least 15 seconds. Work under a lock takes milliseconds. */
const usual: Patience = { tries: 600, millis: 25 }

/** The lock of the folder that a file is in. */
export const beside = (path: string): string => join(dirname(path), "lock")

/** The locks that are already held in the current context. */
const Held = Context.Reference<ReadonlySet<string>>("deedkit/HeldLocks", { defaultValue: () => new Set() })

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? "no code"

const failed =
  (lock: string) =>
  (cause: unknown): Failure =>
    storeError({
      kind: "failed",
      path: dirname(lock),
      problem: `The folder ${dirname(lock)} could not be written (${codeOf(cause)})`,
      advice: "Check the folder: it must be your own, and writable.",
    })

/** Whether the error means that the lock is held: a folder with a file in it cannot be replaced. Systems report this with different codes. */
const isTaken = (cause: unknown): boolean =>
  ["ENOTEMPTY", "EEXIST", ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : [])].includes(
    codeOf(cause),
  )

/** Creates the folder that is renamed to the lock. */
const prepare = async (lock: string, owner: string): Promise<string> => {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
  const folder = `${lock}.${owner}`
  await mkdir(folder, { mode: 0o700 })
  try {
    await writeFile(join(folder, owner), hostname(), { mode: 0o600 })
  } catch (cause) {
    await remove(folder)
    throw cause
  }
  return folder
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true }).catch(() => {})

/** The owners of a lock: at most one, or none if there is no lock. */
const ownersOf = (lock: string): Promise<ReadonlyArray<string>> =>
  readdir(lock).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return []
    throw cause
  })

/** Tries once. Returns null if the lock was acquired, otherwise the name of the owner that it had until now. */
const take = async (lock: string, folder: string): Promise<string | null> => {
  try {
    await rename(folder, lock)
    return null
  } catch (cause) {
    if (!isTaken(cause)) throw cause
  }
  const owners = await ownersOf(lock)
  for (const owner of owners) {
    if (await LockOwner.isGone(owner)) await rm(join(lock, owner), { force: true })
  }
  // Not every system replaces an empty folder. A folder that is no longer empty is not removed.
  await rmdir(lock).catch(() => {})
  return owners[0] ?? "nobody"
}

/** Removes the folders of processes that were killed before they acquired the lock. */
const sweep = async (lock: string): Promise<void> => {
  const start = `${basename(lock)}.`
  for (const name of await readdir(dirname(lock)).catch(() => [])) {
    if (!name.startsWith(start) || !(await LockOwner.isGone(name.slice(start.length)))) continue
    await remove(join(dirname(lock), name))
  }
}

const busy = async (lock: string, { millis, tries }: Patience): Promise<Failure> => {
  const owner = (await ownersOf(lock).catch(() => []))[0] ?? ""
  const host = await readFile(join(lock, owner), "utf8").catch(() => "")
  const pid = LockOwner.pidOf(owner)
  const who =
    pid === null ? "" : ` (process ${pid}${host === "" || host === hostname() ? "" : ` on ${host}`})`
  return storeError({
    kind: "failed",
    path: lock,
    problem: `Another deedkit${who} has locked the folder ${dirname(lock)} for at least ${Math.round((tries * millis) / 1_000)} seconds`,
    advice: `Try again when it has ended. If no such process runs, remove the folder ${lock}.`,
  })
}

const wait = (lock: string, folder: string, patience: Patience): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    for (let tries = 0; tries < patience.tries; tries += 1) {
      // An interrupt between rename and return would leave a lock that nothing releases.
      const other = yield* Effect.uninterruptible(
        Effect.tryPromise({ try: () => take(lock, folder), catch: failed(lock) }),
      )
      if (other === null) return yield* Effect.promise(() => sweep(lock))
      yield* Effect.sleep(patience.millis * (1 + Math.random()))
    }
    return yield* yield* Effect.promise(() => busy(lock, patience))
  })

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
      const owner = yield* Effect.promise(LockOwner.make)
      return yield* Effect.acquireUseRelease(
        Effect.tryPromise({ try: () => prepare(lock, owner), catch: failed(lock) }),
        (folder) =>
          wait(lock, folder, patience).pipe(
            Effect.andThen(Effect.provideService(effect, Held, new Set([...held, lock]))),
          ),
        (folder) =>
          Effect.promise(async () => {
            await remove(join(lock, owner))
            await rmdir(lock).catch(() => {})
            await remove(folder)
          }),
      )
    })
