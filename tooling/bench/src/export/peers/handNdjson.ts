/** NDJSON by the engine alone: the minimum cost of writing records unchanged. Lone surrogates and big integers are not handled. */
import type { Pages, Put } from "../files/Case.ts"

export const handNdjson = (pages: Pages, put: Put): void => {
  let room = Buffer.alloc(0)
  for (const page of pages()) {
    let lines = ""
    for (const contract of page) lines += `${JSON.stringify(contract)}\n`
    if (room.byteLength < lines.length * 3) room = Buffer.allocUnsafe(lines.length * 4)
    put(room.subarray(0, room.write(lines)))
  }
}
