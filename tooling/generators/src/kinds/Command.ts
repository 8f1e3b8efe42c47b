/** A command of the CLI: one that counts contracts, registered in `Main.ts` or in the command that it is a subcommand of. */
import { posix } from "node:path"
import type { Tree } from "@deedkit/checks"
import * as Edit from "../plan/Edit.ts"
import type { Kind } from "../plan/Plan.ts"
import { Refused } from "../plan/Refused.ts"
import * as text from "../templates/command.ts"

const sources = "apps/cli/src"
const main = `${sources}/Main.ts`
const imported = /^import \{ (\w+) \} from "\.[^"]*\.command\.ts"$/
const anyImport = /^(?:import .* |\} )from "[^"]+"$/
const list = /(Command\.withSubcommands\(\[)([^\]]*)/

const isCommand = (path: string): boolean => path.startsWith(`${sources}/`) && path.endsWith(".command.ts")

/** The files of commands with subcommands, by the command's name: `Keys.command.ts` belongs to `keys`. */
const groups = (tree: Tree.Tree): ReadonlyMap<string, string> =>
  new Map(
    tree.paths
      .filter((path) => isCommand(path) && list.test(tree.text(path)))
      .map((path) => [
        posix
          .basename(path, ".command.ts")
          .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "-")
          .toLowerCase(),
        path,
      ]),
  )

const parentOf = (tree: Tree.Tree, group: string | undefined): string => {
  const known = groups(tree)
  const parent = group === undefined ? main : known.get(group)
  if (parent !== undefined) return parent
  const names = [...known.keys()].toSorted().join(", ")
  throw new Refused(`No command ${JSON.stringify(group)} has subcommands. These have: ${names}.`)
}

/** The folder of a new command: the requested one, that of its parent, or one of its own. */
const folderOf = (tree: Tree.Tree, parent: string, own: string, asked: string | undefined): string => {
  const folders = new Set(tree.paths.filter(isCommand).map((path) => posix.dirname(path)))
  if (asked === undefined && parent !== main) return posix.dirname(parent)
  const folder = `${sources}/${asked ?? own}`
  if (asked === undefined && tree.paths.some((path) => path.startsWith(`${folder}/`)))
    throw new Refused(`${folder} is there already. Choose the --folder of another command.`)
  if (asked === undefined || folders.has(folder)) return folder
  const names = [...folders].map((path) => path.slice(sources.length + 1)).join(", ")
  throw new Refused(`There are no commands in ${JSON.stringify(asked)}. They are in ${names}.`)
}

export const command: Kind = {
  whenFull: "Choose the --folder of another command.",
  taken: (tree, { group }) =>
    Edit.itemsOf(tree, parentOf(tree, group), list).map((identifier) => identifier.replace(/Command$/, "")),
  plan: (name, tree, { folder: asked, group }) => {
    const parent = parentOf(tree, group)
    const folder = folderOf(tree, parent, name.kebab, asked)
    const tests = folder.replace(/^apps\/cli\/src/, "apps/cli/test")
    const file = `${folder}/${name.pascal}.command.ts`
    const specifier = posix.relative(posix.dirname(parent), file)
    const added = `import { ${name.camel} } from "${specifier.startsWith(".") ? specifier : `./${specifier}`}"`
    const words = [...(group === undefined ? [] : [group]), name.kebab]
    const up = "../".repeat(folder.split("/").length - 3)
    return {
      made: {
        [file]: text.flags(name, words, up),
        [`${folder}/${name.pascal}.ts`]: text.work(name, words, up),
        [`${tests}/${name.pascal}.test.ts`]: text.test(words, up),
      },
      edits: {
        [parent]: [
          Edit.line(parent === main ? imported : anyImport, added),
          Edit.item(list, name.camel, "last"),
        ],
      },
      next: [
        `Try it: pnpm deedkit ${words.join(" ")} --help`,
        "Write its work, flags and examples. An error of its own is a case in apps/cli/src/failure/Failure.ts.",
        "Describe it in apps/cli/README.md. The console blocks there are run by test/program/Readme.test.ts.",
      ],
    }
  },
}
