/**
 * Rewrites arguments for the parser: `--json=id,status` for JSON with only these members, `--sort -updated_at`, whose value looks like a
 * flag, and several `--profile` of `sync`, which every other command takes once. Arguments after `--` are not changed. Pure.
 */

const fieldsOfJson = /^--json=(?!(?:true|false|yes|no|on|off|1|0|y|n|)$)(.*)$/is

const profile = /^--profile(?==|$)/

/** `--profile` of `sync` as its own flag, which can be repeated. */
const withProfiles = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.includes("sync") && args.filter((arg) => profile.test(arg)).length > 1
    ? args.map((arg) => arg.replace(profile, "--profiles"))
    : args

const rewrite = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, index) => {
    const fields = fieldsOfJson.exec(arg)?.[1]
    if (fields !== undefined) return ["--json", `--json-fields=${fields}`]
    const before = args[index - 1]
    if (before === "--sort" && /^-[a-z]/i.test(arg)) return []
    const next = args[index + 1]
    return arg === "--sort" && next !== undefined && /^-[a-z]/i.test(next) ? [`--sort=${next}`] : [arg]
  })

/** The arguments for the parser. */
export const expand = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = args.indexOf("--")
  const before = rewrite(withProfiles(end < 0 ? args : args.slice(0, end)))
  return end < 0 ? before : [...before, ...args.slice(end)]
}
