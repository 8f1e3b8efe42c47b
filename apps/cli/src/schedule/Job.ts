/** A command that is to run every night: its words, where it runs, and what it takes along of today's environment. */
import { createHash } from "node:crypto"

export interface Job {
  /** Names the job for its scheduler: the same for the same command in the same folder. */
  readonly name: string
  /** The program with absolute paths. */
  readonly program: ReadonlyArray<string>
  /** The command for the program. */
  readonly words: ReadonlyArray<string>
  readonly folder: string
  /** Variables of the job. None of them is a secret. */
  readonly variables: Readonly<Record<string, string>>
  readonly hour: number
  readonly minute: number
}

/** Commands of deedkit that make sense every night, by their first words. */
const nightly: ReadonlyArray<RegExp> = [
  /^export (?:contracts|keys|all|report|verify)$/,
  /^sync(?: (?:backup|changes|prune|status|verify))?$/,
  /^(?:contracts|keys) (?:audit|count|get|list)$/,
  /^(?:api|doctor|me)$/,
]

/** The command among words, which has one or two of its own: `export contracts`; null if it is none that can run at night. */
export const commandOf = (words: ReadonlyArray<string>): string | null => {
  const at = words.findIndex((word, index) => /^[a-z]/.test(word) && !isValue(words[index - 1]))
  const [first = "", second = ""] = at < 0 ? [] : words.slice(at, at + 2)
  const isGroup = /^(?:contracts|export|keys|sync)$/.test(first)
  const command = isGroup && /^[a-z]/.test(second) ? `${first} ${second}` : first
  return nightly.some((each) => each.test(command)) ? command : null
}

/** Whether a word is a flag of every command that takes a value. */
const isValue = (before: string | undefined): boolean =>
  /^--(?:attempts|base-url|cursor-param|debug-bundle|log|ping|profile|rate|timeout)$/.test(before ?? "")

/** Whether the command writes files by reading, which an earlier night has left, whole or in part. */
export const isExport = (command: string): boolean =>
  command.startsWith("export ") && command !== "export verify"

/** The words with what every night needs: last night's file is replaced, an interrupted one is resumed, and only failures are mailed. */
export const nightWords = (command: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const has = (flag: string): boolean => words.some((word) => word === flag || word.startsWith(`${flag}=`))
  const added = [
    ...(isExport(command) ? ["--overwrite"] : []),
    ...(isExport(command) && !has("--from") && !has("--no-manifest") ? ["--resume"] : []),
    ...(isExport(command) || command === "sync" ? ["--quiet"] : []),
  ].filter((flag) => !has(flag))
  const end = words.indexOf("--")
  return end < 0 ? [...words, ...added] : [...words.slice(0, end), ...added, ...words.slice(end)]
}

/** `deedkit-export-contracts-3fa9c1`. */
export const nameOf = (command: string, words: ReadonlyArray<string>, folder: string): string => {
  const hash = createHash("sha256")
    .update(JSON.stringify([folder, words]))
    .digest("hex")
  return `deedkit-${command.replaceAll(" ", "-")}-${hash.slice(0, 6)}`
}
