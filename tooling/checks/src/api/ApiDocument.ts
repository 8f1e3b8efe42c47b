/**
 * `api.md`: everything that a package exports, short enough to be read in ten minutes. Each entry lists its exports with the first sentence of their
 * docstrings; an export of several entries is shown in the first of them. Facts that the document's introduction states are not repeated at each
 * declaration.
 */
import type { Finding } from "../tree/Finding.ts"
import type { Tree } from "../tree/Tree.ts"
import { manifest } from "../tree/Workspace.ts"
import { declaration, filled, gist, width, wrapped } from "./Compact.ts"
import type { Declared, Exports, Namespace } from "./Declarations.ts"
import { read } from "./Declarations.ts"

const block = (texts: ReadonlyArray<string>): Array<string> => ["```ts", ...texts, "```", ""]

/** Whether an export is the Schema of the type with the same name. */
const isPlainSchema = (name: string, what: Declared | Namespace): boolean =>
  what._tag === "Declared" &&
  what.texts.join() === `const ${name}: Schema.Codec<${name.replace(/Schema$/, "")}>;`

const declared = (name: string, what: Declared): ReadonlyArray<string> => {
  const { docs, origin, texts } = what
  const renamed = origin.endsWith(`#${name}`) ? [] : [`// ${name}:`]
  const code = texts.flatMap((text) => declaration(name, text))
  const sentence = gist(docs)
  const line = `${code[0]}  // ${sentence}`
  return renamed.length === 0 && code.length === 1 && line.length <= width
    ? [line]
    : [...renamed, ...wrapped(sentence, "// "), ...code]
}

/** The lines of an entry's or a namespace's exports; `shown` holds the exports that are already listed. */
const listed = (exports: Exports, shown: Map<string, string>, where: string): ReadonlyArray<string> => {
  const code: Array<string> = []
  const schemas: Array<string> = []
  const again = new Map<string, ReadonlyArray<string>>()
  const spaces: Array<readonly [string, Namespace]> = []
  for (const [name, what] of exports) {
    const before = shown.get(what.origin)
    if (before !== undefined) again.set(before, [...(again.get(before) ?? []), `\`${name}\``])
    else {
      shown.set(what.origin, where)
      if (what._tag === "Namespace") spaces.push([name, what])
      else if (isPlainSchema(name, what)) schemas.push(name)
      else code.push(...declared(name, what))
    }
  }
  if (schemas.length > 0)
    code.push(
      "// Schemas of the types that they are named after.",
      ...filled(`${schemas.join(", ")}: Schema.Codec`),
    )
  const found = code.length > 0 ? block(code) : []
  if (again.size > 0)
    found.push(
      ...[...again].flatMap(([place, names]) => wrapped(`- from ${place}: ${names.join(", ")}`, "", "  ")),
      "",
    )
  for (const [name, { docs, members }] of spaces)
    found.push(`### ${name}`, ...wrapped(docs, ""), ...listed(members, shown, `\`${name}\``))
  return found
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

const introduction = [
  "Made from the declarations by `pnpm api`, without what is marked `@internal`. An editor shows the whole docstring of each export.",
  "",
  "`Name { ... }` is an interface; all members are readonly, and optional ones may be undefined; `a, b: T` are two members of one type; `T[]` is a",
  "`ReadonlyArray`. The `_tag` of a type that has one is its name, where no other is shown.",
]

/** The document of a package whose declarations are in the tree. */
export const render = (tree: Tree, folder: string): string => {
  const shown = new Map<string, string>()
  const { name } = manifest(tree, `${folder}/package.json`)
  const lines = [`# API of ${name}`, "", ...introduction, ""]
  for (const [entry, exports] of entries(tree, folder))
    lines.push(`## \`${entry}\``, ...listed(exports, shown, `\`${entry}\``))
  return `${lines.join("\n").trimEnd()}\n`
}

/** Finds exports, and members of exported namespaces, that have no docstring for an editor to show. */
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
