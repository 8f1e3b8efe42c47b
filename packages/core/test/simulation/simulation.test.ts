import { describe, expect, it } from "vitest"
import { levels, models } from "./models.ts"
import { read } from "./Outcome.ts"

/** A few seeds show that nothing is broken; thousands show how often something is. */
const seeds = Number(process.env["DEEDKIT_SEEDS"] ?? 6)
const first = Number(process.env["DEEDKIT_FIRST_SEED"] ?? 1)

/** No lists: their pages do not belong to one order, or never end. */
const noList = new Set([
  "updated down, filter by id",
  "updated up, filter by id",
  "id down, cycle of fresh cursors",
  "shuffled, offset",
])

describe(`services whose lists change, ${seeds} of each kind`, () => {
  describe.each(Object.entries(models))("%s", (name, model) => {
    it.each(Object.entries(levels))("%s: what is claimed is so", async (level, changes) => {
      for (let seed = first; seed < first + seeds; seed++) {
        const outcome = await read(seed * 7_919, model, changes)
        const { completeness, failure, invented, missed, twice } = outcome
        expect({ seed, invented, twice }).toEqual({ seed, invented: 0, twice: 0 })
        if (completeness?.state === "proven") expect({ seed, missed }).toEqual({ seed, missed: 0 })
        if (completeness?.state === "confirmed" && model.positional !== true) {
          expect({ seed, missed }).toEqual({ seed, missed: 0 })
        }
        const isRest = level === "still" || level === "calm"
        if (isRest && !noList.has(name)) expect({ seed, failure }).toEqual({ seed, failure: null })
      }
    })
  })

  it("that are still are proven or confirmed, but for what is no list", async () => {
    for (const [name, model] of Object.entries(models)) {
      const { completeness } = await read(first * 104_729, model, levels["still"]!)
      const outcome = `${name}: ${completeness?.state}`
      if (noList.has(name)) expect(outcome).not.toMatch(/: proven$/)
      else expect(outcome).toMatch(/: (?:proven|confirmed)$/)
    }
  })

  it("that were seen in another order are not proven by a later reading that looks ordered by id", async () => {
    const { completeness } = await read(843 * 7_919, models["updated down, filter by id"]!, levels["busy"]!)
    expect(completeness).toMatchObject({ state: "unverified" })
  })

  it("whose positions rise are not in the order of rising ids", async () => {
    const { completeness } = await read(
      9_857 * 7_919,
      models["activity up, quiet before, offset"]!,
      levels["bursts"]!,
    )
    expect(completeness).not.toMatchObject({ state: "proven" })
  })

  it("that end early where the record of a cursor is gone are not confirmed by readings that all did", async () => {
    const { completeness } = await read(
      1_417 * 7_919,
      models["id down, named record, empty page, gone: ends"]!,
      levels["bursts"]!,
    )
    expect(completeness).not.toMatchObject({ state: "confirmed" })
  })

  it.each([
    ["fixed, opaque offset", 2],
    ["id down, opaque offset, limit ignored", 3],
  ])("%s: a still list is confirmed by %i readings", async (name, readings) => {
    const { completeness } = await read(first, models[name]!, levels["still"]!)
    expect(completeness).toMatchObject({ state: "confirmed", readings })
  })
})
