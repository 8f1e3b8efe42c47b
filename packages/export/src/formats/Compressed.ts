/**
 * Packs any format with gzip (RFC 1952) or Zstandard (RFC 8878), using Node's zlib. The same chunks give the same bytes, because these hold no time
 * and no name.
 */
import type { Transform } from "node:stream"
import { createGzip, createZstdCompress } from "node:zlib"
import * as Effect from "effect/Effect"
import type { Format, TableWriter, WriteOptions } from "../write/TableWriter.ts"

/** The ending of a packed file's name: gzip or Zstandard. */
export type Packing = "gz" | "zst"

const mediaTypes: { readonly [Each in Packing]: string } = { gz: "application/gzip", zst: "application/zstd" }

interface Packer {
  /** The bytes that a chunk produced, often none. The memory of the chunk can be reused then. */
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

/** Wraps a writer and packs its bytes. As long as the writer writes nothing, nothing is written: not before the first page. */
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
          sheet: file.sheet,
          end: Effect.andThen(file.end, Effect.flatMap(Effect.promise(packer.end), hand)),
        }
      }),
  }
}
