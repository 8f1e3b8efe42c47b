/**
 * The parts of a zip in memory, by the names in its directory (APPNOTE.TXT, 4.3), ZIP64 included. Unpacks with the platform's own stream, piece by
 * piece and only up to a limit, because a small file can unpack to any size.
 */

/** A file that is not what it should be. */
class NotReadable extends Error {}

interface Part {
  readonly method: number
  readonly packed: Uint8Array
}

/** Most unpacked bytes of a part: more than a sheet of 1,048,576 rows takes. */
const mostBytes = 4_000_000_000

const far = 0xffff_ffff

const endOfDirectory = (bytes: Uint8Array, view: DataView): number => {
  const first = Math.max(0, bytes.byteLength - 65_557)
  for (let at = bytes.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === 0x0605_4b50) return at
  }
  throw new NotReadable("no zip")
}

/** Where the directory begins, and how many parts it lists. */
const directoryOf = (bytes: Uint8Array, view: DataView): { readonly at: number; readonly count: number } => {
  const end = endOfDirectory(bytes, view)
  const at = view.getUint32(end + 16, true)
  const count = view.getUint16(end + 10, true)
  if (at !== far && count !== 0xffff) return { at, count }
  const record = Number(view.getBigUint64(end - 20 + 8, true))
  return {
    at: Number(view.getBigUint64(record + 48, true)),
    count: Number(view.getBigUint64(record + 32, true)),
  }
}

/** The sizes and the position of a part. ZIP64 keeps the values that are too large in an extra field. */
const placeOf = (view: DataView, at: number, extra: { readonly start: number; readonly end: number }) => {
  const values = {
    size: view.getUint32(at + 24, true),
    packed: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  }
  for (let field = extra.start; field + 4 <= extra.end;) {
    if (view.getUint16(field, true) === 1) {
      let value = field + 4
      for (const key of ["size", "packed", "offset"] as const) {
        if (values[key] !== far) continue
        values[key] = Number(view.getBigUint64(value, true))
        value += 8
      }
    }
    field += 4 + view.getUint16(field + 2, true)
  }
  return values
}

/** The parts by name. Throws `NotReadable`, or a `RangeError` for a directory that points out of the file. */
export const partsOf = (bytes: Uint8Array): ReadonlyMap<string, Part> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decoder = new TextDecoder()
  const parts = new Map<string, Part>()
  const { at: start, count } = directoryOf(bytes, view)
  for (let index = 0, at = start; index < count; index += 1) {
    if (view.getUint32(at, true) !== 0x0201_4b50) throw new NotReadable("no directory")
    const nameEnd = at + 46 + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    const name = decoder.decode(bytes.subarray(at + 46, nameEnd)).replace(/^\//, "")
    const { offset, packed } = placeOf(view, at, { start: nameEnd, end: extraEnd })
    const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    // Readers would not agree on which one is meant.
    if (parts.has(name)) throw new NotReadable("two parts of one name")
    parts.set(name, { method: view.getUint16(at + 10, true), packed: bytes.subarray(from, from + packed) })
    at = extraEnd + view.getUint16(at + 32, true)
  }
  return parts
}

/** The text of a part, piece by piece. */
export const textsOf = async function* ({ method, packed }: Part): AsyncGenerator<string> {
  if (method !== 0 && method !== 8) throw new NotReadable("packed in another way")
  const raw = new Blob([packed as Uint8Array<ArrayBuffer>]).stream()
  const stream = method === 0 ? raw : raw.pipeThrough(new DecompressionStream("deflate-raw"))
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const reader = stream.getReader()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    bytes += value.byteLength
    if (bytes > mostBytes) throw new NotReadable("too large")
    yield decoder.decode(value, { stream: true })
  }
}

/** The whole text of a small part; empty if the part does not exist. */
export const textOf = async (parts: ReadonlyMap<string, Part>, name: string): Promise<string> => {
  const part = parts.get(name)
  let text = ""
  if (part !== undefined) for await (const piece of textsOf(part)) text += piece
  return text
}
