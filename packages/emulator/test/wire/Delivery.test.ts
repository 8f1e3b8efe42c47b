import { describe, expect, it } from "vitest"
import { bytesSent, chunks, connectionLost, gzipped, isPlain } from "../../src/wire/Delivery.ts"
import { instantClock } from "../asking.ts"

const bytes = new TextEncoder().encode("0123456789")
const carried = async (delivery: Parameters<typeof chunks>[1]) => {
  const clock = instantClock()
  const parts: Array<string> = []
  let error: unknown
  try {
    for await (const part of chunks(bytes, delivery, clock, new AbortController().signal)) {
      parts.push(new TextDecoder().decode(part))
    }
  } catch (thrown) {
    error = thrown
  }
  return { parts, error, waits: clock.waits }
}

describe("bytes on their way", () => {
  it("go out whole when nothing else is asked for", async () => {
    expect(isPlain({})).toBe(true)
    expect(isPlain({ gzip: true })).toBe(true)
    expect(await carried({})).toEqual({ parts: ["0123456789"], error: undefined, waits: [] })
  })

  it("wait before each chunk and end in a short one", async () => {
    const { parts, waits } = await carried({ throttle: { chunkBytes: 4, chunkMs: 7 } })
    expect(parts).toEqual(["0123", "4567", "89"])
    expect(waits).toEqual([7, 7, 7])
  })

  it("end in a lost connection at a cut, also of a slow body", async () => {
    const lost = connectionLost("terminated")
    expect(await carried({ cutAfter: 3 })).toEqual({ parts: ["012"], error: lost, waits: [] })
    expect(await carried({ cutAfter: 0 })).toEqual({ parts: [], error: lost, waits: [] })
    const slow = await carried({ cutAfter: 5, throttle: { chunkBytes: 3, chunkMs: 1 } })
    expect(slow).toEqual({ parts: ["012", "34"], error: lost, waits: [1, 1] })
  })

  it("come to an end although a stall lies behind their last one", async () => {
    expect((await carried({ stallAfter: 99 })).parts).toEqual(["0123456789"])
  })

  it.each([
    [{}, 10],
    [{ drop: true }, 0],
    [{ cutAfter: 4 }, 4],
    [{ stallAfter: 3, cutAfter: 4 }, 3],
    [{ cutAfter: 40 }, 10],
  ])("are counted for the journal: %j sends %d of ten", (delivery, sent) => {
    expect(bytesSent(10, delivery)).toBe(sent)
  })

  it("are gzip when they are gzipped", async () => {
    expect(Array.from((await gzipped(bytes)).subarray(0, 2))).toEqual([0x1f, 0x8b])
  })
})
