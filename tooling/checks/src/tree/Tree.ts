/**
 * The files of a repository: those that git tracks, and those that it would track if they were added. Ignored files are not included. Rules take a
 * tree and never read the disk, so each can be tested on a few made-up files.
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

/** The tree under a folder in a git repository. Throws git's message otherwise. */
export const read = (root: string): Tree => {
  // In a container the folder can belong to another user, and git would refuse it. This one folder is trusted, because its code is already running.
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

/** The root folder of this workspace. */
export const root = join(import.meta.dirname, "../../../..")
