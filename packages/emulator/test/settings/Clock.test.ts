import { describe, expect, it } from "vitest"
import { real, stall, wait } from "../../src/settings/Clock.ts"

const deaf = { now: () => 0, sleep: () => new Promise<void>(() => {}) }

describe("the machine's clock", () => {
  it("waits, and stops waiting with the reason of an abort", async () => {
    expect(Math.abs(real.now() - Date.now())).toBeLessThan(1000)
    await expect(real.sleep(1)).resolves.toBeUndefined()
    const controller = new AbortController()
    const waiting = real.sleep(3_600_000, controller.signal)
    controller.abort("enough")
    await expect(waiting).rejects.toBe("enough")
    await expect(real.sleep(3_600_000, AbortSignal.abort("before"))).rejects.toBe("before")
  })
})

describe("waiting", () => {
  it("ends with an abort on a clock that does not look at signals", async () => {
    const controller = new AbortController()
    const waiting = [wait(deaf, 1, controller.signal), stall(controller.signal)]
    controller.abort("enough")
    for (const one of waiting) await expect(one).rejects.toBe("enough")
    await expect(wait(deaf, 1, AbortSignal.abort("before"))).rejects.toBe("before")
  })

  it("rejects as the clock does", async () => {
    const broken = { now: () => 0, sleep: () => Promise.reject(new Error("no time")) }
    await expect(wait(broken, 1, new AbortController().signal)).rejects.toThrow("no time")
  })
})
