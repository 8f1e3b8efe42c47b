/**
 * Rewrites arguments for the parser: `--json=id,status` for JSON with only these members, values that look like flags (`--sort -updated_at`, and
 * `--since -24h`, in which the parser would see `-h`), and repeated `--profile` flags of `sync`, `export` and `mcp`, which every other command takes once. Arguments
 * after `--` are not changed. Also finds the words that can be the command, and values of flags. Pure.
 */

const fieldsOfJson = /^--json=(?!(?:true|false|yes|no|on|off|1|0|y|n|)$)(.*)$/is

const profile = /^--profile(?==|$)/

/**
 * Renames repeated `--profile` flags of `sync`, `export` and `mcp` to `--profiles`, a flag that can be repeated, and moves those before the command
 * behind it, where that flag is known.
 */
const withProfiles = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const command = args.findIndex(
    (arg, at) => (arg === "sync" || arg === "export" || arg === "mcp") && args[at - 1] !== "--profile",
  )
  if (command < 0 || args.filter((arg) => profile.test(arg)).length < 2) return args
  const isMoved = (arg: string, at: number): boolean =>
    at < command && (profile.test(arg) || args[at - 1] === "--profile")
  return [...args.filter((arg, at) => !isMoved(arg, at)), ...args.filter(isMoved)].map((arg) =>
    arg.replace(profile, "--profiles"),
  )
}

/** Whether a word that begins with a dash is the value of the flag before it. */
export const isValueOf = (flag: string | undefined, word: string | undefined): boolean => {
  if (flag === undefined || word === undefined) return false
  return flag === "--sort" ? /^-[a-z]/i.test(word) : /^--[^=]+$/.test(flag) && /^-\d+[a-z]/i.test(word)
}

const rewrite = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, index) => {
    const fields = fieldsOfJson.exec(arg)?.[1]
    if (fields !== undefined) return ["--json", `--json-fields=${fields}`]
    if (isValueOf(args[index - 1], arg)) return []
    const next = args[index + 1]
    return isValueOf(arg, next) ? [`${arg}=${next}`] : [arg]
  })

/** Rewrites the arguments for the parser. */
export const expand = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--")
  const before = rewrite(withProfiles(end < 0 ? args : args.slice(0, end)))
  return end < 0 ? before : [...before, ...args.slice(end)]
}

/** The value of a flag in words that may not be valid; null if it is not there or has none. */
export const valueOf = (words: ReadonlyArray<string>, flag: string): string | null => {
  const end = words.indexOf("--")
  const own = end < 0 ? words : words.slice(0, end)
  const at = own.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = own[at]
  if (word === undefined) return null
  const value = word === flag ? own[at + 1] : word.slice(flag.length + 1)
  return value === undefined || value === "" || value.startsWith("-") ? null : value
}

/**
 * The words that can be the command: all up to the first that follows no flag. A word after a flag can be its value, as in `--profile demo me`.
 */
export const commandWords = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const first = words.findIndex(
    (word, at) => !word.startsWith("-") && words[at - 1]?.startsWith("-") !== true,
  )
  return first < 0 ? words : words.slice(0, first + 1)
}
