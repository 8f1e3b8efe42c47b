/**
 * `api.md`: everything that a package exports, short enough to be read in one go. Each entry lists its exports with the first sentence of
 * their docstrings; what several entries export is shown in the first of them. Members are shown without `readonly`, which all of them are.
 */
import type { Finding } from "../tree/Finding.ts"
import type { Tree } from "../tree/Tree.ts"
import { manifest } from "../tree/Workspace.ts"
import type { Declared, Exports, Namespace } from "./Declarations.ts"
import { read } from "./Declarations.ts"

const width = 110

/** The first sentence of a docstring, without the list after it. A full stop inside a name or a number ends none. */
const firstSentence = (docs: string): string =>
  /^.*?\.(?=\s+[A-Z`]|\s*$)/.exec(docs.replace(/ - .*$/, ""))?.[0] ?? docs

/** Lines of at most the width, behind a mark. */
const wrapped = (text: string, mark: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${mark}${word}`)
  }
  return lines
}

/** Braces without braces inside, over several lines. */
const innermost = /\{\n(?<members>[^{}]*)\n\s*\}/g

/** Without `readonly`, and each pair of braces on one line where it fits. */
const compact = (text: string): string => {
  let short = text
    .replaceAll(/(?<![\w$.])readonly (?=[\w["])/g, "")
    .replace(/^(?:const|type|let) /, "")
    .replace(/;$/, "")
  for (let before = ""; before !== short;) {
    before = short
    short = short.replaceAll(innermost, (whole, members: string, at: number) => {
      const line = `{ ${members
        .trim()
        .replaceAll(/\s*\n\s*/g, " ")
        .replace(/;$/, "")} }`
      const begun = short.slice(short.lastIndexOf("\n", at) + 1, at)
      return begun.length + line.length <= width ? line : whole
    })
  }
  return short.replaceAll(/;$/gm, "").replaceAll(/\n\s*\| /g, " | ")
}

const block = (texts: ReadonlyArray<string>): Array<string> => ["```ts", ...texts, "```", ""]

const declared = (name: string, { docs, origin, texts }: Declared): ReadonlyArray<string> => {
  const renamed = origin.endsWith(`#${name}`) ? [] : [`// ${name}:`]
  return [...renamed, ...wrapped(firstSentence(docs), "// "), ...texts.map(compact)]
}

/** The lines of an entry's or a namespace's exports; `shown` is what has been listed before. */
const listed = (exports: Exports, shown: Map<string, string>, where: string): ReadonlyArray<string> => {
  const code: Array<string> = []
  const again = new Map<string, ReadonlyArray<string>>()
  const spaces: Array<readonly [string, Namespace]> = []
  for (const [name, what] of exports) {
    const before = shown.get(what.origin)
    if (before !== undefined) again.set(before, [...(again.get(before) ?? []), `\`${name}\``])
    else {
      shown.set(what.origin, where)
      if (what._tag === "Namespace") spaces.push([name, what])
      else code.push(...declared(name, what))
    }
  }
  const lines = code.length > 0 ? block(code) : []
  for (const [place, names] of again) lines.push(...wrapped(`From ${place}: ${names.join(", ")}.`, ""), "")
  for (const [name, { docs, members }] of spaces)
    lines.push(`### ${name}`, "", ...wrapped(docs, ""), "", ...listed(members, shown, `\`${name}\``))
  return lines
}

/** The exports of each entry of a package, by the specifier that imports it. */
const entries = (tree: Tree, folder: string): ReadonlyMap<string, Exports> => {
  const { exports = {}, name } = manifest(tree, `${folder}/package.json`)
  return new Map(
    Object.entries(exports).flatMap(([entry, target]) => {
      const types = typeof target === "string" ? undefined : target["types"]
      return types === undefined
        ? []
        : [[name + entry.slice(1), read(tree, `${folder}/${types.replace(/^\.\//, "")}`)] as const]
    }),
  )
}

/** The document of a package whose declarations are in the tree. */
export const render = (tree: Tree, folder: string): string => {
  const shown = new Map<string, string>()
  const { name } = manifest(tree, `${folder}/package.json`)
  const lines = [
    `# API of ${name}`,
    "",
    "Made from the declarations by `pnpm api`, without what is marked `@internal`; every member is readonly. An editor shows the whole docstring of each export.",
    "",
  ]
  for (const [entry, exports] of entries(tree, folder))
    lines.push(`## \`${entry}\``, "", ...listed(exports, shown, `\`${entry}\``))
  return `${lines.join("\n").trimEnd()}\n`
}

/** Exports, and members of exported namespaces, that an editor shows without a word. */
export const checkDocs = (tree: Tree, folder: string): ReadonlyArray<Finding> => {
  const silent = new Map<string, Finding>()
  const visit = (exports: Exports, way: string): void => {
    for (const [name, what] of exports) {
      if (what.docs === "" && !silent.has(what.origin)) {
        const path = what.origin
          .replace(/#.*$/, "")
          .replace("/dist/", "/src/")
          .replace(/\.d\.ts$/, ".ts")
        const message = `exports ${way}${name} without a docstring: say what it is, with shapes, units, defaults and errors`
        silent.set(what.origin, { path, line: null, message })
      }
      if (what._tag === "Namespace") visit(what.members, `${name}.`)
    }
  }
  for (const exports of entries(tree, folder).values()) visit(exports, "")
  return [...silent.values()]
}
