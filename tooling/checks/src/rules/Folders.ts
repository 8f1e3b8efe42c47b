/**
 * The folder structure: a folder has at most 14 entries, and no two source folders import each other, directly or through other folders, types
 * included. A newcomer can then read a package from one end to the other.
 */
import { posix } from "node:path"
import type { Finding } from "../tree/Finding.ts"
import { isRelative, resolve } from "../tree/Imports.ts"
import type { Tree } from "../tree/Tree.ts"
import { modules } from "../tree/Workspace.ts"

const widest = 14

/** Folders with too many entries to see at a glance. The root is exempt, because tools look for files there. */
export const checkWidths = (tree: Tree): ReadonlyArray<Finding> => {
  const entries = new Map<string, Set<string>>()
  for (const path of tree.paths) {
    const parts = path.split("/")
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join("/")
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth]!))
    }
  }
  return [...entries]
    .filter(([, names]) => names.size > widest)
    .map(([path, { size }]) => ({
      path,
      line: null,
      message: `has ${size} entries, over ${widest}: put files of one concern into a folder of their own`,
    }))
}

interface Edge {
  readonly to: string
  readonly path: string
  readonly line: number
  readonly specifier: string
}

/** For each folder of sources, the imports that lead to other folders of the package. */
const edges = (tree: Tree): ReadonlyMap<string, ReadonlyArray<Edge>> => {
  const found = new Map<string, Array<Edge>>()
  for (const { area, path, source } of modules(tree)) {
    if (area !== "src") continue
    const from = posix.dirname(path)
    for (const { line, specifier } of source.imports) {
      if (!isRelative(specifier)) continue
      const target = resolve(path, specifier)
      const to = posix.dirname(target)
      if (to === from || !tree.has(target)) continue
      found.set(from, [...(found.get(from) ?? []), { to, path, line, specifier }])
    }
  }
  return found
}

/** The folders on a shortest path from one to another, both included; null if there is none. */
const wayBetween = (
  graph: ReadonlyMap<string, ReadonlyArray<Edge>>,
  from: string,
  to: string,
): ReadonlyArray<string> | null => {
  const before = new Map<string, string | null>([[from, null]])
  for (const folder of before.keys()) {
    if (folder === to) {
      const way: Array<string> = []
      for (let at: string | null = folder; at !== null; at = before.get(at) ?? null) way.unshift(at)
      return way
    }
    for (const edge of graph.get(folder) ?? []) if (!before.has(edge.to)) before.set(edge.to, folder)
  }
  return null
}

export const checkCycles = (tree: Tree): ReadonlyArray<Finding> => {
  const graph = edges(tree)
  return [...graph].flatMap(([from, imports]) =>
    imports.flatMap(({ line, path, specifier, to }) => {
      const back = wayBetween(graph, to, from)
      return back === null
        ? []
        : [{ path, line, message: `imports ${specifier}, and its folder leads back: ${back.join(" -> ")}` }]
    }),
  )
}
