/** Packing with the compression stream of browsers and workers, which has only one level and packs in the background. */
import * as crc from "crc-32"
import type { Deflate } from "./node.ts"

export const deflate: Deflate = {
  crc32: (bytes, before) => crc.buf(bytes, before) >>> 0,
  open: (_, emit) => {
    const stream = new CompressionStream("deflate-raw")
    const writer = stream.writable.getWriter()
    const reader = stream.readable.getReader()
    const pumped = (async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        await emit(value)
      }
    })()
    // The write that waits reports a failure, which must not end the program by itself.
    pumped.catch(() => writer.abort().catch(() => {}))
    const heard = async (step: Promise<void>): Promise<void> => {
      await Promise.race([step, pumped.then(() => step)])
    }
    return {
      write: (block) => heard(writer.ready.then(() => writer.write(block as Uint8Array<ArrayBuffer>))),
      end: async () => {
        await heard(writer.close())
        await pumped
      },
    }
  },
}
