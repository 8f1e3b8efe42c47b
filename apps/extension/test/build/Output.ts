/** Looks into a built extension: its files, the scripts that a page loads, and what they weigh when they are packed. */
import { readFile, readdir } from "node:fs/promises"
import { extname, join, relative, sep } from "node:path"
import { gzipSync } from "node:zlib"

export interface OutputFile {
  /** From the extension's folder on, with slashes. */
  readonly path: string
  readonly bytes: Buffer
}

/** A browser that the extension is built for, and where that build stands once it is made. */
export interface Built {
  readonly browser: "chrome" | "firefox"
  readonly folder: () => string
}

/** Every file of an extension. */
export const filesOf = async (folder: string): Promise<ReadonlyArray<OutputFile>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.toSorted().map(async (path) => ({
      path: relative(folder, path).split(sep).join("/"),
      bytes: await readFile(path),
    })),
  )
}

/** The files of an extension that browsers read as text: scripts, pages, styles and words. */
export const textsOf = async (
  folder: string,
): Promise<ReadonlyArray<OutputFile & { readonly text: string }>> =>
  (await filesOf(folder))
    .filter(({ path }) => [".js", ".html", ".css", ".json"].includes(extname(path)))
    .map(({ bytes, path }) => ({ path, bytes, text: bytes.toString("utf8") }))

export const packedBytes = (files: ReadonlyArray<OutputFile>): number =>
  files.reduce((sum, { bytes }) => sum + gzipSync(bytes, { level: 9 }).byteLength, 0)

/** The scripts that a page loads before it shows anything, with all that they import. */
export const scriptsOf = async (folder: string, page: string): Promise<ReadonlyArray<OutputFile>> => {
  const files = new Map((await textsOf(folder)).map((file) => [file.path, file]))
  const wanted = new Set<string>()
  const want = (path: string): void => {
    if (wanted.has(path)) return
    wanted.add(path)
    const { text } = files.get(path)!
    const folderOf = path.slice(0, path.lastIndexOf("/") + 1)
    for (const [, name] of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) want(folderOf + name)
  }
  for (const [, path] of files.get(page)!.text.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)) want(path!)
  return [...wanted].map((path) => files.get(path)!)
}
