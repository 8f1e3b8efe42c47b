/**
 * Keeps the compiled code of the program between starts, in a folder that nobody else can write.
 *
 * Node runs what it finds in its cache, and its default is a folder of the shared temporary one: whoever makes that folder first chooses the code
 * that this program runs, with the key. So the folder is `deedkit` in `XDG_CACHE_HOME` or `~/.cache` (Windows: `LOCALAPPDATA`), and it is used only
 * if it and every folder above it belong to this user or to root and no other user can write there. Otherwise nothing is cached.
 */
import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs"
import module from "node:module"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"

const writableByOthers = 0o022
const sticky = 0o1000

/** Whether only this user, or root, can put another folder in the place of what is in this one. */
const isSafe = (folder: string, uid: number): boolean => {
  for (let above = folder; ; above = dirname(above)) {
    const { mode, uid: owner } = lstatSync(above)
    if (owner !== uid && owner !== 0) return false
    // In a folder such as /tmp, nobody can rename or remove what belongs to somebody else.
    if ((mode & writableByOthers) !== 0 && (mode & sticky) === 0) return false
    if (above === dirname(above)) return true
  }
}

/** Whether only this user, or root, can change what is in the folder or put another one in its place. */
const isOwn = (folder: string, uid: number): boolean => {
  const own = lstatSync(folder)
  return (
    own.isDirectory() &&
    own.uid === uid &&
    (own.mode & writableByOthers) === 0 &&
    isSafe(dirname(folder), uid)
  )
}

/** The folder, or the nearest one above it that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)))

/** Makes a folder and its missing parents. Node's own way to do so never ends where a system has no such folders, as below `/proc`. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * The folder for what can be made again: `configured` where it is an absolute path. Null for a user without a home folder, as in containers, for
 * whom `homedir` throws, and where it is a relative path.
 */
export const cacheFolder = (configured: string | undefined): string | null => {
  if (configured !== undefined && isAbsolute(configured)) return join(configured, "deedkit")
  try {
    return isAbsolute(homedir()) ? join(homedir(), ".cache", "deedkit") : null
  } catch {
    return null
  }
}

/** Enables the cache, or does nothing where no folder is safe. */
export const enable = (folder: string | null): void => {
  if (folder === null) return
  try {
    const uid = process.getuid?.()
    // With sudo, the home folder can be another user's: a folder of root would be in that user's way.
    if (uid !== undefined && !isSafe(realpathSync(existing(folder)), uid)) return
    makeFolder(folder)
    // A link to a folder of this user is as good as the folder; what counts is where it leads.
    const real = realpathSync(folder)
    // Windows gives each user a folder that no other user can write.
    if (uid === undefined || isOwn(real, uid)) module.enableCompileCache(real)
  } catch {
    // The folder cannot be made or read: the program starts without a cache.
  }
}
