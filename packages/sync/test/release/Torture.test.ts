import { describe, expect, it } from "vitest"
import { torture } from "../torture/Torture.ts"

describe("a hundred processes that are killed, paused and doubled", () => {
  it.each([1, 2, 3])(
    "leave the mirror of sixty accounts as it has to be, by seed %i",
    { timeout: 600_000 },
    async (seed) => {
      const { killed } = await torture({ accounts: 60, contracts: 60, nights: 3, kills: 12, seed })
      expect(killed).toBeGreaterThan(12)
    },
  )
})
