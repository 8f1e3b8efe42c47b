/** Looks into a zip, with the reader of compound files that comes with the tests' reader of workbooks. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as XLSX from "xlsx"
import type { OutputFile } from "../Output.ts"

interface Container {
  readonly FullPaths: ReadonlyArray<string>
  readonly FileIndex: ReadonlyArray<{
    readonly type: number
    readonly content?: Uint8Array | ReadonlyArray<number>
  }>
}

/** What the reader calls the place that everything is in. */
const place = /^[^/]*\//
/** A file that the reader adds to everything. */
const mark = "\u0001Sh33tJ5"
/** The type of an entry that is a file. */
const isFile = 2

/** Every file of a zip, in the zip's order. */
export const readZip = async (path: string): Promise<ReadonlyArray<OutputFile>> => {
  const { FileIndex, FullPaths } = XLSX.CFB.read(await readFile(path), {
    type: "buffer",
  }) as unknown as Container
  return FileIndex.flatMap(({ content, type }, at) => {
    const name = FullPaths[at]!.replace(place, "")
    return type === isFile && content !== undefined && name !== mark
      ? [{ path: name, bytes: Buffer.from(content) }]
      : []
  })
}

/** Writes the files of a zip into a folder. */
export const unpack = async (path: string, folder: string): Promise<void> => {
  for (const file of await readZip(path)) {
    const to = join(folder, file.path)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, file.bytes)
  }
}
