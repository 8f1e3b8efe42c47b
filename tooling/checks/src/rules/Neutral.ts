/**
 * Every entry of a published package works on any platform, unless it is one of the entries for Node. The rule follows the imports of each neutral
 * entry, so a file is judged by the entries that reach it and not by its name.
 */
import { builtinModules } from "node:module"
import { posix } from "node:path"
import { codeLines } from "../Source.ts"
import type { Finding, Module, Package, Tree } from "../Tree.ts"
import { modules, packages } from "../Tree.ts"

/** Entries that require Node. Every other entry of a package in `packages/` is neutral. */
const nodeEntries: { readonly [name: string]: ReadonlyArray<string> } = {
  "@deedkit/core": ["./node", "./own-file"],
  "@deedkit/emulator": ["./node"],
  "@deedkit/export": ["./run"],
  "@deedkit/sync": [".", "./store"],
  "@deedkit/sync-postgres": [".", "./worker"],
}

const builtin = new Set(builtinModules)
const nodeOnly = new Set(
  Object.entries(nodeEntries).flatMap(([name, entries]) => entries.map((entry) => name + entry.slice(1))),
)
const globals = /(?<![.\w$])(?:process|Buffer|__dirname|__filename)\b(?!\s*:)/g

const neutralEntries = ({ folder, manifest }: Package): ReadonlyArray<string> =>
  Object.entries(manifest.exports ?? {})
    .filter(([entry]) => !(nodeEntries[manifest.name] ?? []).includes(entry))
    .flatMap(([, target]) => (typeof target === "string" ? target : (target["@deedkit/source"] ?? [])))
    .filter((target) => target.endsWith(".ts"))
    .map((target) => `${folder}/${target.replace(/^\.\//, "")}`)

/** Each module that an entry reaches inside its package, with the import path to it. */
const reached = (entry: string, byPath: ReadonlyMap<string, Module>): ReadonlyMap<string, string> => {
  const ways = new Map([[entry, entry]])
  // Iterating over a map also visits entries that are added meanwhile.
  for (const [path, way] of ways)
    for (const { specifier } of byPath.get(path)?.source.imports ?? []) {
      const next = /^\.\.?(?:\/|$)/.test(specifier) ? posix.join(posix.dirname(path), specifier) : null
      if (next !== null && !ways.has(next))
        ways.set(next, `${way} -> ${next.slice(next.indexOf("/src/") + 5)}`)
    }
  return ways
}

const unneutral = ({ path, source }: Module): ReadonlyArray<Finding> => [
  ...source.imports
    .filter(
      ({ specifier }) => specifier.startsWith("node:") || builtin.has(specifier) || nodeOnly.has(specifier),
    )
    .map(({ specifier, line }) => ({ path, line, message: `imports ${specifier}` })),
  ...codeLines(source, globals).map((line) => ({ path, line, message: "uses a global of Node" })),
]

export const check = (tree: Tree): ReadonlyArray<Finding> => {
  const byPath = new Map(modules(tree).map((module) => [module.path, module]))
  const seen = new Set<string>()
  return packages(tree)
    .filter(({ room }) => room === "packages")
    .flatMap(neutralEntries)
    .flatMap((entry) =>
      [...reached(entry, byPath)].flatMap(([path, way]) => {
        const module = byPath.get(path)
        if (module === undefined || seen.has(path)) return []
        seen.add(path)
        return unneutral(module).map(({ line, message }) => ({
          path,
          line,
          message: `${message}, yet a neutral entry reaches it (${way}); move it behind an entry for Node`,
        }))
      }),
    )
}
