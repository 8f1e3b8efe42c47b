import { expect, it } from "vitest"
import * as Checkup from "../../src/checkup/index.ts"
import { checked, reasonOf } from "../fixtures/Checked.ts"

const stages = () => [Checkup.endpoint("contracts"), Checkup.cursor]

it.each([
  ["the assumed one", {}, { _tag: "Verified", parameter: "before_id" }],
  [
    "another name",
    { faults: ["cursor-renamed:parameter=page_token"] },
    { _tag: "Verified", parameter: "page_token" },
  ],
  ["none, where the cursor is ignored", { faults: ["cursor-ignored"] }, { _tag: "NoneWorks" }],
  ["nothing in an empty account", { contracts: 0 }, { _tag: "CannotTell" }],
  ["nothing with one contract", { contracts: 1 }, { _tag: "CannotTell" }],
] as const)("the search for the cursor's parameter finds %s", async (_, emulator, found) => {
  const { one } = await checked({ emulator, stages })
  expect(one("CursorParameter")).toMatchObject({ assumed: "before_id", found, error: null })
})

it("is not made without contracts", async () => {
  const { one, requests } = await checked({ secret: "keysOnly", stages })
  expect([one("CursorParameter"), requests]).toEqual([undefined, 1])
})

it("says why it failed", async () => {
  const { one } = await checked({ emulator: { faults: ["server-error:requests=3"] }, stages })
  expect(one("CursorParameter")).toMatchObject({ found: null })
  expect(reasonOf(one("CursorParameter"))).toBe("ServerFault")
})
