/**
 * Removes content codings from bodies, for the transport on `node:http`. It requests none, but a server or a proxy may still use one or
 * several. An unknown coding is ignored: some servers name one and send plain text.
 */
import { pipeline, Transform } from "node:stream"
import type { Readable } from "node:stream"
import * as zlib from "node:zlib"

/** `deflate` with the zlib header, as specified, or without it, as some servers send it: the first byte shows which. */
const inflate = (): Transform => {
  let inner: zlib.Inflate | zlib.InflateRaw | null = null
  const begin = (outer: Transform, first: number): zlib.Inflate | zlib.InflateRaw => {
    inner = (first & 15) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
    inner.on("data", (piece: Buffer) => outer.push(piece))
    inner.once("error", (cause) => outer.destroy(cause))
    return inner
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const to = inner ?? begin(this, chunk[0] ?? 0)
      to.write(chunk, () => done())
    },
    flush(done) {
      if (inner === null) return done()
      inner.once("end", () => done())
      inner.end()
    },
    destroy(cause, done) {
      inner?.destroy()
      done(cause)
    },
  })
}

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  ["br", () => zlib.createBrotliDecompress()],
  ["deflate", inflate],
])

/**
 * Unpacks the body by `codings`, the value of a header: names in any case, in the order in which they were applied. Calls `broken` with an error
 * of decoding.
 */
export const unpacked = (
  response: Readable,
  codings: string | null,
  broken: (cause: unknown) => void,
): Readable => {
  if (codings === null) return response
  let body = response
  for (const coding of codings.toLowerCase().split(",").toReversed()) {
    const decoder = decoders.get(coding.trim())
    if (decoder === undefined) continue
    body = pipeline(body, decoder(), (cause) => {
      if (cause) broken(cause)
    })
  }
  return body
}
