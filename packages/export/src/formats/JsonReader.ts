/** Reads JSON and NDJSON files back: an array of objects, or one object per line. Integers keep every digit. */
import { Json } from "@deedkit/core"
import type { Content } from "../write/FileFormat.ts"

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const contentOf = (parse: () => Json.Json): Content | null => {
  try {
    const records = parse()
    return Array.isArray(records) && records.every(Json.isObject) ? { _tag: "Records", records } : null
  } catch {
    return null
  }
}

/** The records of a JSON file; null if it is not an array of objects. */
export const readJson = (bytes: Uint8Array): Content | null =>
  contentOf(() => Json.parse(decoder.decode(bytes)))

/** The records of an NDJSON file; null if a line is not an object. Blank lines are skipped. */
export const readNdjson = (bytes: Uint8Array): Content | null =>
  contentOf(() =>
    decoder
      .decode(bytes)
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(Json.parse),
  )
