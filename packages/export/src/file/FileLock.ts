/**
 * A lock on an open file that the operating system holds. It ends with its process, also when that is killed, and whichever container it ran in, so
 * there is nothing to clean up and no process id to judge.
 *
 * Where the file system has no locks, or the library has no build for the platform, every lock is granted.
 */
import type { FileHandle } from "node:fs/promises"
import { stat } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"

interface Native {
  readonly tryLock: (fd: number, offset: number, length: number, options?: { shared: boolean }) => boolean
}

/** One byte that no file reaches: Windows keeps other processes from reading the bytes that are locked. */
const offset = 2 ** 40
const length = 1

/** Enough for a look at the lock, which takes it for a moment. */
const fewTries = 5
const pauseMillis = 20

const tryLock = async (handle: FileHandle, shared: boolean): Promise<boolean> => {
  const native = await import("fs-native-extensions").then(
    ({ default: library }: { readonly default: Native }) => library,
    () => null,
  )
  try {
    return native?.tryLock(handle.fd, offset, length, { shared }) ?? true
  } catch {
    return true
  }
}

/** `held`: another process has the lock. `replaced`: the path has another file, or none, since the file was opened. */
export type Outcome = "locked" | "held" | "replaced"

/** Locks a file that is open for writing, until its handle is closed. */
export const lock = async (handle: FileHandle, path: string, tries = fewTries): Promise<Outcome> => {
  for (let left = tries; !(await tryLock(handle, false)); left -= 1) {
    if (left === 1) return "held"
    await sleep(pauseMillis)
  }
  const [own, named] = await Promise.all([handle.stat(), stat(path).catch(() => null)])
  return named !== null && own.ino === named.ino && own.dev === named.dev ? "locked" : "replaced"
}

/** Whether another process has locked the file. The handle is closed soon after: until then, nobody else gets the lock. */
export const isHeld = async (handle: FileHandle): Promise<boolean> => !(await tryLock(handle, true))
