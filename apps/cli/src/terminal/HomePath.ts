/** Paths as people write and read them. No shell replaces `~/` after `--out=`, in quotes, in a crontab or in a file. */
import { homedir } from "node:os"
import { isAbsolute, relative } from "node:path"

/** The home folder; empty for a user without one, for whom `homedir` throws. */
export const home = (): string => {
  try {
    return homedir()
  } catch {
    return ""
  }
}

/** The path with the home folder in place of a leading `~`, on Windows also before a backslash; unchanged where there is none. */
export const expand = (path: string): string => {
  const begins = process.platform === "win32" ? /^~(?:[/\\]|$)/ : /^~(?:\/|$)/
  return begins.test(path) && home() !== "" ? home() + path.slice(1) : path
}

/** The same for an argument, which can be the value of a flag: `--out=~/contracts.csv`, `-o=~/contracts.csv`, `-o~/contracts.csv`. */
export const inArgument = (argument: string): string => {
  const [, flag = "", value = argument] = /^(--[a-z-]+=|-[a-z]=?)(.*)$/s.exec(argument) ?? []
  return flag + expand(value)
}

/** The current folder; null if somebody has removed it. */
const here = (): string | null => {
  try {
    return process.cwd()
  } catch {
    return null
  }
}

/** An absolute path as it is opened from the current folder: relative if it is in that folder, otherwise whole. */
export const fromHere = (path: string): string => {
  const folder = here()
  if (folder === null) return path
  const inside = relative(folder, path)
  return inside === "" || isAbsolute(inside) || /^\.\.(?:[/\\]|$)/.test(inside) ? path : inside
}
