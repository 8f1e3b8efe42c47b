import { describe, expect, it } from "vitest"
import { real } from "../src/Clock.ts"

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
