import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { ask, instantClock, read, statusOf } from "../asking.ts"

const path = "/v1/contracts/?limit=5"

const received = async (answer: Response): Promise<{ readonly bytes: number; readonly error: unknown }> => {
  let bytes = 0
  try {
    for await (const chunk of answer.body ?? []) bytes += chunk.length
    return { bytes, error: undefined }
  } catch (error) {
    return { bytes, error }
  }
}

describe("latency", () => {
  it("waits on the emulator's clock before it answers", async () => {
    const clock = instantClock()
    const emulator = make({ clock, faults: [{ name: "latency", ms: 750 }] })
    expect(await statusOf(emulator, path)).toBe(200)
    expect(clock.waits).toEqual([750])
  })

  it("ends with the signal's reason, even on a clock that does not look at signals", async () => {
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) }
    const emulator = make({ clock, faults: ["latency"] })
    const controller = new AbortController()
    const answer = emulator.fetch(`http://emulator.test${path}`, { signal: controller.signal })
    controller.abort("enough")
    await expect(answer).rejects.toBe("enough")
    expect(emulator.journal.entries[0]).toMatchObject({ status: 0, fault: "latency" })
  })
})

describe("drop", () => {
  it("rejects as fetch does when a connection ends before the head", async () => {
    const answer = ask(make({ faults: ["drop"] }), path)
    await expect(answer).rejects.toThrow(new TypeError("fetch failed"))
    await expect(answer).rejects.toHaveProperty("cause.code", "UND_ERR_SOCKET")
  })
})

describe("cut", () => {
  it("ends the body before content-length, with an error", async () => {
    const answer = await ask(make({ faults: ["cut:bytes=100"] }), path)
    const { bytes, error } = await received(answer)
    expect(answer.status).toBe(200)
    expect(bytes).toBe(100)
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(100)
    expect(error).toEqual(new TypeError("terminated"))
  })

  it("takes a fraction too, and always leaves something out", async () => {
    const half = await ask(make({ faults: [{ name: "cut", fraction: 0.5 }] }), path)
    expect((await received(half)).bytes).toBe(Math.floor(Number(half.headers.get("content-length")) / 2))
    const most = await ask(make({ faults: [{ name: "cut", bytes: 1_000_000 }] }), path)
    expect((await received(most)).bytes).toBe(Number(most.headers.get("content-length")) - 1)
  })

  it.each([
    [["cut:bytes=100"], 100],
    [["stall:bytes=30", "cut:bytes=40"], 30],
    [["stall:bytes=40", "cut:bytes=30"], 30],
  ])("has the bytes that are sent in the journal: %j sends %d", async (faults, bodyBytes) => {
    const emulator = make({ faults })
    await (await ask(emulator, path)).body?.cancel()
    expect(emulator.journal.entries[0]).toMatchObject({ status: 200, bodyBytes })
  })

  it("ends a slow body in the middle of a chunk", async () => {
    const clock = instantClock()
    const emulator = make({ clock, faults: ["slow:bytesPerSecond=1000,chunkMs=30", "cut:bytes=50"] })
    expect(await received(await ask(emulator, path))).toEqual({
      bytes: 50,
      error: new TypeError("terminated"),
    })
    expect(clock.waits).toEqual([30, 30])
  })
})

describe("slow", () => {
  it("waits before each chunk and loses nothing", async () => {
    const clock = instantClock()
    const emulator = make({ clock, faults: ["slow:bytesPerSecond=1000,chunkMs=250"] })
    const answer = await ask(emulator, path)
    const length = Number(answer.headers.get("content-length"))
    expect(await received(answer)).toEqual({ bytes: length, error: undefined })
    expect(clock.waits).toEqual(Array.from({ length: Math.ceil(length / 250) }, () => 250))
  })

  it("stops with the client", async () => {
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) }
    const controller = new AbortController()
    const emulator = make({ clock, faults: ["slow"] })
    const answer = await emulator.fetch(`http://emulator.test${path}`, { signal: controller.signal })
    const text = answer.text()
    controller.abort("enough")
    await expect(text).rejects.toBe("enough")
  })
})

describe("stall", () => {
  it("sends the head, then nothing until the client gives up", async () => {
    const controller = new AbortController()
    const emulator = make({ faults: ["stall:bytes=10"] })
    const answer = await emulator.fetch(`http://emulator.test${path}`, { signal: controller.signal })
    expect(answer.status).toBe(401)
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.value).toHaveLength(10)
    const rest = reader?.read()
    controller.abort("enough")
    await expect(rest).rejects.toBe("enough")
  })

  it("comes to an end when all of the body arrives before", async () => {
    const answer = await ask(make({ faults: ["stall:bytes=1000000"] }), path)
    expect(await received(answer)).toEqual({
      bytes: Number(answer.headers.get("content-length")),
      error: undefined,
    })
  })

  it("sends not even the head with head=false", async () => {
    const controller = new AbortController()
    const emulator = make({ faults: ["stall:head=false"] })
    const answer = emulator.fetch(`http://emulator.test${path}`, { signal: controller.signal })
    controller.abort("enough")
    await expect(answer).rejects.toBe("enough")
  })
})

describe("huge", () => {
  it("is the same JSON with a long member", async () => {
    const emulator = make({ faults: ["huge:bytes=3000000"] })
    const body = await read(emulator, path)
    expect(body.items).toHaveLength(5)
    expect(emulator.journal.entries[0]?.bodyBytes).toBeGreaterThan(3_000_000)
  })

  it("is no JSON at all with form=rubbish", async () => {
    const text = await (await ask(make({ faults: ["huge:bytes=3000,form=rubbish"] }), path)).text()
    expect(text).toBe("x".repeat(3000))
  })
})

describe("gzip", () => {
  it("names the encoding and the packed length, and reads as if nothing had happened", async () => {
    const plain = await (await ask(make(), path)).text()
    const answer = await ask(make({ faults: ["gzip"] }), path)
    expect(answer.headers.get("content-encoding")).toBe("gzip")
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(plain.length)
    expect(await answer.text()).toBe(plain)
  })
})
