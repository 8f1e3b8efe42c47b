import { describe, expect, it } from "vitest"
import { torture } from "../torture/Torture.ts"

describe("dozens of processes that are killed, paused and doubled", () => {
  it.each([1, 2, 3])(
    "leave the mirror of forty accounts as it has to be, by seed %i",
    { timeout: 600_000 },
    async (seed) => {
      const { killed } = await torture({ accounts: 40, contracts: 40, nights: 2, kills: 12, seed })
      expect(killed).toBeGreaterThan(12)
    },
  )
})
