/**
 * One process at a time: a lock that does not outlive a killed process.
 *
 * The lock is a folder with one file in it, named after its owner. A process makes such a folder under a name of its own and renames it, and
 * the system allows that only where the lock's name is free or an empty folder. A lock whose process is gone is opened by removing its file: no
 * other owner ever has that name, so a lock that was taken meanwhile cannot be hit. No clock is read, so none can be wrong.
 */
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as LockOwner from "./LockOwner.ts"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

/** How often a held lock is tried, and the least number of milliseconds between two tries. */
export interface Patience {
  readonly tries: number
  readonly millis: number
}

/** 15 seconds at least. What is done under a lock takes milliseconds. */
const usual: Patience = { tries: 600, millis: 25 }

/** The lock of the folder that a file is in. */
export const beside = (path: string): string => join(dirname(path), "lock")

/** The locks that are held already where this runs. */
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

/** A folder with a file in it cannot be replaced; systems have different codes for that. */
const isTaken = (cause: unknown): boolean =>
  ["ENOTEMPTY", "EEXIST", ...(process.platform === "win32" ? ["EPERM", "EACCES", "EBUSY"] : [])].includes(
    codeOf(cause),
  )

/** Makes the folder that is going to be the lock. */
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

/** The owners of a lock, of which there is one at most; none where there is no lock. */
const ownersOf = (lock: string): Promise<ReadonlyArray<string>> =>
  readdir(lock).catch((cause: unknown) => {
    if (codeOf(cause) === "ENOENT") return []
    throw cause
  })

/** Tries once. Null when the lock is acquired, else the name of its owner until now. */
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
  // Not every system replaces an empty folder. One that is not empty any more stays.
  await rmdir(lock).catch(() => {})
  return owners[0] ?? "nobody"
}

/** Folders of processes that were killed before they had the lock. */
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
 * Runs an effect under the lock, a path in a folder that is created if needed. The effect can hold it again. Fails where the folder cannot be
 * written, or when another process holds the lock for longer than `patience`.
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
