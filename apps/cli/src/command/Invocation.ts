/** How this program was called, so that a message can show the command to run next. Arguments hold no secret: no flag takes one. */
import * as Context from "effect/Context"

export class Invocation extends Context.Service<Invocation, { readonly args: ReadonlyArray<string> }>()(
  "deedkit/Invocation",
) {}

const plain = /^[\w./:=@%+,~-]+$/

/** A word quoted for a POSIX shell. */
const shellWord = (word: string): string => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The command line with these arguments, plus `flag` if it is not among them. */
export const commandLine = (program: string, args: ReadonlyArray<string>, flag: string): string =>
  [program, ...[...args, ...(args.includes(flag) ? [] : [flag])].map(shellWord)].join(" ")
