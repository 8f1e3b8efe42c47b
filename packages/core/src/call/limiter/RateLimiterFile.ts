/**
 * Rate limiters whose state is in files, so that all processes of a user share the rate and the pauses of a key. For Node only.
 *
 * There is one file for each key, named after the key's fingerprint; it does not hold the key. A file that cannot be read or is not a state
 * counts as absent. If nothing can be written, each process has its own rate. A call never fails because of a file, and a file never pauses it
 * for longer than `longestPauseMillis`.
 */
import * as fs from "node:fs"
import { dirname, join, resolve } from "node:path"
import { isObject } from "../../model/Json.ts"
import type { OwnRateLimiter, RateLimiterState } from "./RateLimiter.ts"
import * as RateLimiter from "./RateLimiter.ts"
import type { RateLimiterOf } from "./rateLimiters.ts"
import type { RateLimits } from "./RateLimits.ts"

/** The options of rate limiters in files. */
export interface RateLimiterFileOptions {
  /** The folder of the files, which nothing else uses. It is created if it is missing, with mode 0700. */
  readonly directory: string
}

/** The size of a file in bytes: a state is padded with spaces, so that one write replaces it. A file of another size counts as absent. */
const fileBytes = 512
/** How long a process waits for another one. */
const patienceMillis = 20
/** A lock is held for less than a millisecond. An older lock belongs to a killed process. */
const staleMillis = 1_000
/** A longer pause is not shared: after this time, another process asks the server itself. */
const longestPauseMillis = 15 * 60_000
/** A state that was saved longer ago is forgotten. */
const longestAgeMillis = 60 * 60_000
/** How far a clock can be set back between two processes. */
const clockMillis = 1_000

interface Saved extends RateLimiterState {
  readonly filledAt: number
  readonly savedAt: number
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && value >= least && value <= most

/** Whether it is a state that this program saved recently. A value that would cause a longer wait is refused. */
const isSaved = (value: unknown, now: number): value is Saved => {
  if (!isObject(value)) return false
  const { cleanAnswers, filledAt, pausedUntil, rate, savedAt, size, tokens } = value
  return (
    isWithin(savedAt, now - longestAgeMillis, now + clockMillis) &&
    isWithin(pausedUntil, 0, savedAt + longestPauseMillis) &&
    isWithin(filledAt, 0, Math.max(savedAt, pausedUntil)) &&
    isWithin(rate, RateLimiter.leastRate, Number.MAX_VALUE) &&
    isWithin(size, 1, Number.MAX_VALUE) &&
    isWithin(tokens, 0, size) &&
    isWithin(cleanAnswers, 0, 10)
  )
}

/** Windows has neither `O_NOFOLLOW` nor `O_NONBLOCK`; an undefined flag adds nothing. */
const { O_NOFOLLOW, O_NONBLOCK, O_RDWR, S_IFMT, S_IFREG } = fs.constants

/** The descriptor of a private file of this user, of the right size; null for anything else: a link, a pipe, a file that other users can write. */
const openPrivate = (path: string): number | null => {
  const file = fs.openSync(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
  const { mode, size, uid } = fs.fstatSync(file)
  const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
  if (isPrivate && size === fileBytes && (mode & S_IFMT) === S_IFREG) return file
  fs.closeSync(file)
  return null
}

const load = (file: number, now: number): Saved | null => {
  const bytes = Buffer.alloc(fileBytes)
  fs.readSync(file, bytes, 0, fileBytes, 0)
  const value: unknown = JSON.parse(bytes.toString("utf8"))
  return isSaved(value, now) ? value : null
}

const save = (path: string, file: number | null, saved: Saved): void => {
  const text = JSON.stringify(saved).padEnd(fileBytes)
  if (file !== null) return void fs.writeSync(file, text, 0)
  fs.rmSync(path, { force: true })
  fs.writeFileSync(path, text, { flag: "wx", mode: 0o600 })
}

/** Null if the task fails. */
const attempted = <A>(task: () => A): A | null => {
  try {
    return task()
  } catch {
    return null
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Creates the lock file. False if that does not become possible in time. */
const acquire = (path: string): boolean => {
  for (const until = Date.now() + patienceMillis; ; Atomics.wait(pause, 0, 0, 1)) {
    try {
      fs.closeSync(fs.openSync(path, "wx", 0o600))
      return true
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST" || Date.now() > until) return false
    }
    attempted(() => {
      const age = Date.now() - fs.lstatSync(path).mtimeMs
      if (Math.abs(age) > staleMillis) fs.unlinkSync(path)
    })
  }
}

/**
 * A rate limiter that loads its state from the file before each change, and saves it afterwards. Without the lock it saves nothing, and other
 * processes do not know what this one did meanwhile.
 */
const inFile = (path: string, limits: RateLimits): OwnRateLimiter => {
  const lock = `${path}.lock`
  /** After a failure to get the lock, the time of the next try. */
  let triesAt = 0

  /** A pause that is too long to be shared stays known to this process. */
  const restore = (saved: Saved): void => {
    const own = limiter.state()
    limiter.restore({
      ...saved,
      filledAt: Math.max(own.filledAt ?? 0, saved.filledAt),
      pausedUntil: Math.max(own.pausedUntil, saved.pausedUntil),
    })
  }
  const savedState = (now: number): Saved => {
    const state = limiter.state()
    const pausedUntil = Math.min(state.pausedUntil, now + longestPauseMillis)
    const filledAt = Math.min(state.filledAt ?? now, Math.max(now, pausedUntil))
    return { ...state, filledAt, pausedUntil, savedAt: now }
  }
  const hold: RateLimiter.Hold = (now, change) => {
    const isLocked = Date.now() >= triesAt && acquire(lock)
    if (!isLocked && Date.now() >= triesAt) triesAt = Date.now() + staleMillis
    const file = attempted(() => openPrivate(path))
    const saved = file === null ? null : attempted(() => load(file, now))
    if (saved !== null) restore(saved)
    const before = JSON.stringify(limiter.state())
    const result = change()
    if (isLocked) {
      if (JSON.stringify(limiter.state()) !== before) attempted(() => save(path, file, savedState(now)))
      attempted(() => fs.unlinkSync(lock))
    }
    if (file !== null) attempted(() => fs.closeSync(file))
    return result
  }
  const limiter = RateLimiter.makeWith(limits, hold)
  return limiter
}

/** Makes a folder and its parents. Node's option `recursive` never returns if a file system like `/proc` refuses. */
const makeFolder = (path: string): void => {
  if (fs.existsSync(path)) return
  makeFolder(dirname(path))
  fs.mkdirSync(path, { mode: 0o700 })
}

/** Removes forgotten files: those of keys and origins that are no longer used. */
const sweep = (directory: string, now: number): void => {
  for (const name of fs.readdirSync(directory)) {
    const path = join(directory, name)
    attempted(() => {
      if (now - fs.lstatSync(path).mtimeMs > longestAgeMillis) fs.unlinkSync(path)
    })
  }
}

/**
 * Rate limiters for the clients of all processes that use this folder, such as one program's commands and a nightly job. A request costs a
 * fraction of a millisecond more. If the folder cannot be used, nothing fails; each process then has its own rate.
 *
 * ```ts
 * import { RateLimiters } from "@deedkit/core"
 * import { sharedRateLimiters } from "@deedkit/core/node"
 * const shared = Effect.provideService(RateLimiters, sharedRateLimiters({ directory: "/home/me/.cache/my-tool" }))
 * ```
 */
export const sharedRateLimiters = ({ directory }: RateLimiterFileOptions): RateLimiterOf => {
  const ofKeys = new Map<string, OwnRateLimiter>()
  attempted(() => makeFolder(resolve(directory)))
  attempted(() => sweep(directory, Date.now()))
  return (keyFingerprint, limits) => {
    const known = ofKeys.get(keyFingerprint) ?? inFile(join(directory, `${keyFingerprint}.json`), limits)
    known.setLimits(limits)
    ofKeys.set(keyFingerprint, known)
    return known
  }
}
