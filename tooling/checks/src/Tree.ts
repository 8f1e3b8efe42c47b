/**
 * The files of this repository, its packages and their modules: the files that git tracks, and those that it would track if they were added. Rules take a tree
 * and never read the disk, so each can be tested on a few made-up files.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Source from "./Source.ts"

/** A place where the tree breaks a rule: its location, what is wrong there, and what to do about it. */
export interface Finding {
  readonly path: string
  /** Counted from 1; null for the whole file. */
  readonly line: number | null
  readonly message: string
}

export interface Tree {
  /** Relative to the root, with `/`, sorted. */
  readonly paths: ReadonlyArray<string>
  readonly text: (path: string) => string
  readonly source: (path: string) => Source.Source
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

export interface Package {
  /** `packages/core` */
  readonly folder: string
  readonly room: "packages" | "apps" | "tooling"
  readonly manifest: Manifest
}

export interface Module {
  readonly path: string
  /** The folder of the package that contains the module; `root` beside the manifest or in any other folder. */
  readonly area: "src" | "test" | "examples" | "root"
  readonly source: Source.Source
}

/** The root folder of this workspace. */
export const root = join(import.meta.dirname, "../../..")

const make = (paths: ReadonlyArray<string>, text: (path: string) => string): Tree => {
  const sources = new Map<string, Source.Source>()
  const source = (path: string) => {
    const read = sources.get(path) ?? Source.read(path, text(path))
    sources.set(path, read)
    return read
  }
  return { paths: paths.toSorted(), text, source }
}

/** A made-up tree: texts by path. */
export const of = (texts: Readonly<Record<string, string>>): Tree =>
  make(Object.keys(texts), (path) => texts[path] ?? "")

/** The tree under a folder in a git repository. Throws git's message otherwise. */
export const read = (folder: string): Tree => {
  // In a container the folder can belong to another user, and git would refuse it. This one folder is trusted, because its code is already running.
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const listed = execFileSync("git", ["-c", `safe.directory=${folder}`, ...list], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  const paths = new Set(listed.split("\0").filter((path) => path !== "" && existsSync(join(folder, path))))
  return make([...paths], (path) => readFileSync(join(folder, path), "utf8"))
}

export const packages = (tree: Tree): ReadonlyArray<Package> =>
  tree.paths.flatMap((path) => {
    const found = /^((packages|apps|tooling)\/[^/]+)\/package\.json$/.exec(path)
    if (found === null) return []
    const manifest = JSON.parse(tree.text(path)) as Manifest
    return [{ folder: found[1]!, room: found[2] as Package["room"], manifest }]
  })

/** Every TypeScript file of every package, declarations left out. */
export const modules = (tree: Tree): ReadonlyArray<Module> =>
  packages(tree).flatMap(({ folder }) =>
    tree.paths
      .filter((path) => path.startsWith(`${folder}/`) && /(?<!\.d)\.[cm]?tsx?$/.test(path))
      .map((path) => {
        const area = /^(src|test|examples)\//.exec(path.slice(folder.length + 1))?.[1] ?? "root"
        return { path, area: area as Module["area"], source: tree.source(path) }
      }),
  )

/** One line per finding, in the order of the tree, in a form that editors and terminals turn into links. */
export const lines = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  findings
    .toSorted((a, b) => (a.path === b.path ? (a.line ?? 0) - (b.line ?? 0) : a.path < b.path ? -1 : 1))
    .map(({ path, line, message }) => `${path}${line === null ? "" : `:${line}`} ${message}`)
