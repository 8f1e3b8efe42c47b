/**
 * Restores texts that were too long for a cell from the file beside the export that the cell names. A cell that only looks like such a reference is
 * left unchanged.
 */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"

type Rows = ReadonlyArray<ReadonlyArray<string>>

const ending = ".texts.ndjson]"
const pattern = /^\[(\d+) characters: see line (\d+) of ([^/\\]+\.texts\.ndjson)\]$/

const textIn = (line: string | undefined): string | null => {
  try {
    const value = Json.parse(line ?? "")
    const text = Json.isObject(value) ? value["text"] : null
    return typeof text === "string" ? text : null
  } catch {
    return null
  }
}

/** Replaces each cell that names a text with that text, if the named file has a text of that length. Never fails. */
export const putBack = (rows: Rows, path: string): Effect.Effect<Rows> =>
  Effect.promise(async () => {
    const isMoved = (cell: string): boolean => cell.endsWith(ending)
    if (!rows.some((row) => row.some(isMoved))) return rows
    const files = new Map<string, Promise<ReadonlyArray<string>>>()
    const linesOf = (name: string): Promise<ReadonlyArray<string>> => {
      const lines =
        files.get(name) ??
        readFile(join(dirname(path), name), "utf8").then(
          (text) => text.split("\n"),
          () => [],
        )
      files.set(name, lines)
      return lines
    }
    const textOf = async (cell: string): Promise<string> => {
      const [, length, line, name] = pattern.exec(cell) ?? []
      if (name === undefined) return cell
      const text = textIn((await linesOf(name))[Number(line) - 1])
      return text !== null && text.length === Number(length) ? text : cell
    }
    const rowOf = (row: Rows[number]): Promise<Rows[number]> =>
      Promise.all(row.map((cell) => (isMoved(cell) ? textOf(cell) : Promise.resolve(cell))))
    return Promise.all(rows.map((row) => (row.some(isMoved) ? rowOf(row) : Promise.resolve(row))))
  })
