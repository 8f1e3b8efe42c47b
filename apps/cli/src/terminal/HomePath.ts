/** Paths that begin with `~/`. No shell replaces it after `--out=`, in quotes, in a crontab or in a file. */
import { homedir } from "node:os"

/** The path with the home folder in place of a leading `~`. */
export const expand = (path: string): string =>
  /^~(?:\/|$)/.test(path) ? `${homedir()}${path.slice(1)}` : path

/** The same for an argument, which can be the value of a flag: `--out=~/contracts.csv`. */
export const inArgument = (argument: string): string => {
  const [, flag = "", value = argument] = /^(--[a-z-]+=)(.*)$/s.exec(argument) ?? []
  return flag + expand(value)
}
