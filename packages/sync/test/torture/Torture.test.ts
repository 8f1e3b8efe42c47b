import { describe, expect, it } from "vitest"
import { torture } from "./Torture.ts"

describe("processes that are killed, paused and doubled", () => {
  it("leave a mirror whose rows and history are those of the service", { timeout: 120_000 }, async () => {
    const { killed } = await torture({ accounts: 8, contracts: 24, nights: 2, kills: 3, seed: 7 })
    expect(killed).toBeGreaterThan(1)
  })
})
