/** Paths as people write and read them. No shell replaces `~/` after `--out=`, in quotes, in a crontab or in a file. */
import { homedir } from "node:os"
import { isAbsolute, relative } from "node:path"

/** The path with the home folder in place of a leading `~`. */
export const expand = (path: string): string =>
  /^~(?:\/|$)/.test(path) ? `${homedir()}${path.slice(1)}` : path

/** The same for an argument, which can be the value of a flag: `--out=~/contracts.csv`. */
export const inArgument = (argument: string): string => {
  const [, flag = "", value = argument] = /^(--[a-z-]+=)(.*)$/s.exec(argument) ?? []
  return flag + expand(value)
}

/** An absolute path as it is opened from the current folder: relative if it is in that folder, otherwise whole. */
export const fromHere = (path: string): string => {
  const inside = relative(process.cwd(), path)
  return inside === "" || isAbsolute(inside) || /^\.\.(?:[/\\]|$)/.test(inside) ? path : inside
}
