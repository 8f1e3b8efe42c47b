/**
 * Any format packed by gzip (RFC 1952) or Zstandard (RFC 8878), by Node's zlib. The same chunks give the same bytes: no clock and no name is in
 * them.
 */
import type { Transform } from "node:stream"
import { createGzip, createZstdCompress, gunzip, zstdDecompress } from "node:zlib"
import * as Effect from "effect/Effect"
import type { Format, TableWriter, WriteOptions } from "../write/TableWriter.ts"

/** The ending of a packed file's name: gzip or Zstandard. */
export type Packing = "gz" | "zst"

const mediaTypes: { readonly [Each in Packing]: string } = { gz: "application/gzip", zst: "application/zstd" }

interface Packer {
  /** What came out for a chunk, which may be written over then; often nothing. */
  readonly pack: (chunk: Uint8Array) => Promise<ReadonlyArray<Uint8Array>>
  readonly end: () => Promise<ReadonlyArray<Uint8Array>>
  readonly destroy: () => void
}

const makePacker = (packing: Packing): Packer => {
  const stream: Transform = packing === "gz" ? createGzip() : createZstdCompress()
  let packed: Array<Uint8Array> = []
  stream.on("data", (bytes: Uint8Array) => packed.push(bytes))
  const take = (): ReadonlyArray<Uint8Array> => {
    const taken = packed
    packed = []
    return taken
  }
  return {
    pack: (chunk) =>
      new Promise((resolve, reject) =>
        stream.write(chunk, (cause) => (cause ? reject(cause) : resolve(take()))),
      ),
    end: () =>
      new Promise((resolve, reject) =>
        stream
          .once("error", reject)
          .once("end", () => resolve(take()))
          .end(),
      ),
    destroy: () => void stream.destroy(),
  }
}

/** The writer with its bytes packed. What has no bytes yet stays so: nothing is written before the first page. */
export const compressed = (writer: TableWriter, packing: Packing): TableWriter => {
  const extensions = writer.format.extensions.map((extension) => `${extension}.${packing}`)
  return {
    format: {
      ...writer.format,
      extensions: extensions as unknown as Format["extensions"],
      mediaType: mediaTypes[packing],
    },
    open: <E>(options: WriteOptions<E>) =>
      Effect.gen(function* () {
        const packer = yield* Effect.acquireRelease(
          Effect.sync(() => makePacker(packing)),
          ({ destroy }) => Effect.sync(destroy),
        )
        const hand = (bytes: ReadonlyArray<Uint8Array>) =>
          Effect.forEach(bytes, options.write, { discard: true })
        const file = yield* writer.open<E>({
          ...options,
          write: (chunk) =>
            Effect.flatMap(
              Effect.promise(() => packer.pack(chunk)),
              hand,
            ),
        })
        return {
          begin: file.begin,
          end: Effect.andThen(file.end, Effect.flatMap(Effect.promise(packer.end), hand)),
        }
      }),
  }
}

/** More than the longest text of JavaScript: a few kilobytes can unpack to more than the memory holds. */
const mostUnpacked = 2 ** 29

/** The bytes of a packed file; null for bytes that are not packed so, or only a part of it, and where they would be more than `most`. */
export const unpack = (
  bytes: Uint8Array,
  packing: Packing,
  most = mostUnpacked,
): Promise<Uint8Array | null> =>
  new Promise((resolve) => {
    const limit = { maxOutputLength: most }
    const end = (cause: Error | null, whole: Uint8Array): void => resolve(cause === null ? whole : null)
    if (packing === "gz") gunzip(bytes, limit, end)
    else zstdDecompress(bytes, limit, end)
  })
