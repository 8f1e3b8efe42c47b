import { expect, it } from "vitest"
import { checked, reasonOf } from "../fixtures/Checked.ts"

it("finds records that are as specified, one by its id, and none by an id that should not exist", async () => {
  const { one } = await checked()
  expect(one("Conformity")).toMatchObject({ records: 156, rejected: 0, issue: null })
  expect([reasonOf(one("ById")), reasonOf(one("UnknownId"))]).toEqual([null, "NotFound"])
})

it("finds records that are not as specified, and what is wrong with the first", async () => {
  const { one } = await checked({ emulator: { faults: ["missing-field"] } })
  expect(one("Conformity")).toMatchObject({
    rejected: 4,
    issue: { path: "status", expected: "string", found: "nothing" },
  })
})

it("finds another record than the one that was asked for", async () => {
  const { one } = await checked({ emulator: { faults: ["wrong-record"] } })
  expect(reasonOf(one("ById"))).toBe("IdentityMismatch")
})

it("asks for an id within 31 bits that no service has reached", async () => {
  const { emulator } = await checked()
  const id = Number(emulator.journal.entries.at(-1)?.query["id"])
  expect(id).toBeGreaterThan(2_000_000_000)
  expect(id).toBeLessThan(2 ** 31)
})

it.each([
  [400, "Rejected"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [503, "ServerFault"],
] as const)("finds that an unknown id is answered with %d", async (unknownIdStatus, reason) => {
  const { one } = await checked({ emulator: { assumptions: { unknownIdStatus } } })
  expect(reasonOf(one("UnknownId"))).toBe(reason)
})
