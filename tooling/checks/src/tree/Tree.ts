/**
 * The files of a repository: what git tracks, and what it would track if it were added. What is ignored is not part of it.
 * Rules take a tree and never look at the disk, so each of them can be tried on a few made-up files.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Source from "./Source.ts"

export interface Tree {
  /** Relative to the root, with `/`, sorted. */
  readonly paths: ReadonlyArray<string>
  readonly has: (path: string) => boolean
  readonly text: (path: string) => string
  readonly source: (path: string) => Source.Source
}

const make = (paths: ReadonlyArray<string>, text: (path: string) => string): Tree => {
  const known = new Set(paths)
  const sources = new Map<string, Source.Source>()
  const source = (path: string) => {
    const read = sources.get(path) ?? Source.read(path, text(path))
    sources.set(path, read)
    return read
  }
  return { paths: paths.toSorted(), has: (path) => known.has(path), text, source }
}

/** A made-up tree: texts by path. */
export const of = (texts: Readonly<Record<string, string>>): Tree =>
  make(Object.keys(texts), (path) => texts[path] ?? "")

/** The same tree with these texts in place of its own, or as new files. */
export const changed = (tree: Tree, texts: Readonly<Record<string, string>>): Tree =>
  make([...new Set([...tree.paths, ...Object.keys(texts)])], (path) => texts[path] ?? tree.text(path))

/** The tree under a folder that git knows. Throws what git says when it does not. */
export const read = (root: string): Tree => {
  // In a container the folder may be another user's, and git would refuse. This one folder is trusted: its code is running already.
  const asked = [
    "-c",
    `safe.directory=${root}`,
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ]
  const listed = execFileSync("git", asked, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
  const paths = new Set(listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path))))
  return make([...paths], (path) => readFileSync(join(root, path), "utf8"))
}

/** Where this workspace begins. */
export const root = join(import.meta.dirname, "../../../..")
