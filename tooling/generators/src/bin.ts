/** `pnpm new`: reads the arguments, generates the files, and says what was written and what comes next. Exits with code 2 if nothing can be made. */
import { parseArgs } from "node:util"
import { Tree } from "@deedkit/checks"
import { generate } from "./Generate.ts"
import type { Request } from "./Generate.ts"
import { Refused } from "./plan/Refused.ts"
import { write } from "./Write.ts"

const usage = `pnpm new fault NAME --category CATEGORY      a fault of the emulator
pnpm new command NAME | GROUP/NAME [--folder FOLDER]
                                             a command of the CLI
pnpm new endpoint NAME                       a GET of the service
pnpm new format NAME                         a package with a file format`

const options = {
  category: { type: "string" },
  folder: { type: "string" },
  help: { type: "boolean" },
} as const

/** The request in the arguments; null if they ask for help. Throws `Refused`. */
const read = (args: ReadonlyArray<string>): Request | null => {
  const { positionals, values } = parsed(args)
  const [kind = "", given = "", ...more] = positionals
  if (values.help === true) return null
  if (positionals.length < 2 || more.length > 0) throw new Refused(`Give a kind and a name.\n\n${usage}`)
  const of = { category: "fault", folder: "command" } as const
  for (const flag of ["category", "folder"] as const) {
    if (values[flag] !== undefined && kind !== of[flag])
      throw new Refused(`--${flag} is for a ${of[flag]} only.`)
  }
  const slash = kind === "command" ? given.indexOf("/") : -1
  const group = slash === -1 ? undefined : given.slice(0, slash)
  return { kind, name: given.slice(slash + 1), group, category: values.category, folder: values.folder }
}

const parsed = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const [sentence] = (error as Error).message.split(". ", 1)
    throw new Refused(`${sentence}.\n\n${usage}`, { cause: error })
  }
}

try {
  const request = read(process.argv.slice(2))
  if (request === null) console.log(usage)
  else {
    const changes = await generate(request, Tree.read(Tree.root))
    write(Tree.root, changes)
    const lines = [
      ...Object.keys(changes.made).map((path) => `new      ${path}`),
      ...Object.keys(changes.changed).map((path) => `changed  ${path}`),
      "",
      "Next:",
      ...[...changes.next, "Run pnpm check, and pnpm changeset for what a user can notice."].map(
        (step, at) => `${at + 1}. ${step}`,
      ),
    ]
    console.log(lines.join("\n"))
  }
} catch (error) {
  if (!(error instanceof Refused)) throw error
  console.error(`${error.message}\nNothing was written.`)
  process.exitCode = 2
}
