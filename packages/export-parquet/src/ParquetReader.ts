/**
 * Reads a Parquet file back with hyparquet, into the cells that CSV of the same records has, with `listing.city` for the member of a struct.
 * Numbers keep every digit, and times end in `Z`. In browsers, reads only files that are not packed with Zstandard.
 */
import type { SchemaElement } from "hyparquet"
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { packing } from "#packing"

export interface ParquetTable {
  readonly headings: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** `2026-03-01T09:30:00Z`, with as much of a fraction as there is. */
const timeOf = (micros: bigint): string => {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - fraction) / 1_000n)).toISOString().slice(0, -5)
  return `${seconds}${fraction === 0n ? "" : `.${String(fraction).padStart(6, "0")}`.replace(/0+$/, "")}Z`
}

/** The cell of a JSON text: a text itself, without its quotes, and everything else verbatim. */
const cellOf = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json)

const parsers = {
  timestampFromMilliseconds: (millis: bigint) => timeOf(millis * 1_000n),
  timestampFromMicroseconds: timeOf,
  timestampFromNanoseconds: (nanos: bigint) => timeOf(nanos / 1_000n),
  stringFromBytes: (bytes: Uint8Array) => decoder.decode(bytes),
  jsonFromBytes: (bytes: Uint8Array) => cellOf(decoder.decode(bytes)),
}

/** A value as the parsers leave it. */
type Leaf = string | number | bigint | boolean | null | undefined | ReadonlyArray<Leaf>
type Fields = { readonly [field: string]: unknown }

const textOf = (value: Leaf): string => {
  if (value === null || value === undefined) return ""
  return typeof value === "object" ? value.map(textOf).join(" ") : String(value)
}

/** The paths of the cells: a field, or the member of a struct. This format writes no deeper ones. */
const pathsOf = ([root, ...elements]: ReadonlyArray<SchemaElement>): ReadonlyArray<
  readonly [string, string?]
> => {
  const paths: Array<readonly [string, string?]> = []
  let at = 0
  /** Skips an element and everything in it. */
  const skip = (): void => {
    const { num_children: children = 0 } = elements[at]!
    at += 1
    for (let child = 0; child < children; child += 1) skip()
  }
  for (let field = 0; field < (root?.num_children ?? 0); field += 1) {
    const { converted_type: type, name, num_children: children = 0 } = elements[at]!
    if (children === 0 || type === "LIST") {
      paths.push([name])
      skip()
      continue
    }
    at += 1
    for (let member = 0; member < children; member += 1) {
      paths.push([name, elements[at]!.name])
      skip()
    }
  }
  return paths
}

/** The cells of a file; null if the bytes are not Parquet. */
export const read = async (bytes: Uint8Array): Promise<ParquetTable | null> => {
  const file = {
    byteLength: bytes.byteLength,
    // A copy, even of a Buffer, whose own `slice` returns a view.
    slice: (start: number, end = bytes.byteLength) => new Uint8Array(bytes.subarray(start, end)).buffer,
  }
  try {
    const metadata = await parquetMetadataAsync(file)
    const paths = pathsOf(metadata.schema)
    const compressors = packing.decompressors
    const records = (await parquetReadObjects({
      file,
      metadata,
      compressors,
      parsers,
    })) as ReadonlyArray<Fields>
    return {
      headings: paths.map((path) => path.join(".")),
      rows: records.map((record) =>
        paths.map(([field, member]) => {
          const value = record[field]
          return textOf((member === undefined ? value : (value as Fields | null)?.[member]) as Leaf)
        }),
      ),
    }
  } catch {
    return null
  }
}
