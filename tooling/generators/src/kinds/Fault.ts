/** A fault of the emulator that changes only a header, registered after the last fault of its category in every list of faults. */
import type { Tree } from "@deedkit/checks"
import * as Edit from "../plan/Edit.ts"
import type { Kind } from "../plan/Plan.ts"
import { Refused } from "../plan/Refused.ts"
import * as text from "../templates/fault.ts"

const emulator = "packages/emulator"
const index = `${emulator}/src/faults/index.ts`
const registry = `${emulator}/test/faults/registry.test.ts`
const readme = `${emulator}/README.md`
const exports = "apps/cli/test/program/Faults.test.ts"

const imported = /^import \{ (\w+) \} from "\.\/(\w+)\/\w+\.ts"$/
const list = /(export const kinds = \[)([^\]]*)/
const harmless = /(?<=const harmless: [^\n]*\n(?: {2}[^\n]*\n)*)(?=\]\n)/

/** Each fault by its identifier, with its category, in the order of the registry. */
const faults = (tree: Tree.Tree): ReadonlyArray<readonly [identifier: string, category: string]> => {
  const known = Edit.itemsOf(tree, index, list)
  const categories = new Map(
    Array.from(tree.text(index).matchAll(new RegExp(imported, "gm")), ([, fault, folder]) => [fault, folder]),
  )
  return known.map((fault) => [fault, categories.get(fault) ?? ""])
}

export const fault: Kind = {
  whenFull: "Choose another --category.",
  taken: (tree) => faults(tree).map(([identifier]) => identifier),
  plan: (name, tree, { category }) => {
    const known = faults(tree)
    const last = known.findLast(([, other]) => other === category)?.[0]
    if (category === undefined || last === undefined) {
      const categories = [...new Set(known.map(([, other]) => other))].toSorted().join(", ")
      throw new Refused(
        category === undefined
          ? `Missing --category. A fault belongs to one of ${categories}.`
          : `There is no category ${JSON.stringify(category)}. Use one of ${categories}.`,
      )
    }
    const source = tree.text(`${emulator}/src/faults/${category}/${last}.ts`)
    const lastName = /^ {2}name: "([^"]+)",$/m.exec(source)?.[1] ?? last
    return {
      made: {
        [`${emulator}/src/faults/${category}/${name.camel}.ts`]: text.source(name),
        [`${emulator}/test/faults/${category}/${name.camel}.test.ts`]: text.test(name),
      },
      edits: {
        [index]: [
          Edit.line(imported, `import { ${name.camel} } from "./${category}/${name.camel}.ts"`),
          Edit.item(list, name.camel, { after: last }),
        ],
        [readme]: [Edit.after(new RegExp(`^\\| \`${lastName}\` .*\n`, "m"), text.row(name))],
        [registry]: [Edit.after(new RegExp(`^ {2}"?${lastName}"?: \\{.*\n`, "m"), text.entry(name))],
        [exports]: [Edit.after(harmless, text.tried(name))],
      },
      next: [
        `Write what it does wrong: its hooks, attributes and description, and the same in its row of ${readme}.`,
        `Say in ${registry} what it changes of an answer, and in ${exports} how an export ends that meets it.`,
      ],
    }
  },
}
