import { describe, expect, it } from "@effect/vitest"
import { asItCame, fromText, toText } from "../../src/run/Completion.ts"
import { rejected } from "../fixtures/list.ts"

describe("a completed page", () => {
  it("is remembered with every digit, with its rejected records and the count of those without data", () => {
    const completion = {
      records: [{ id: 1, payload: 9007199254740993n }],
      rejected: [rejected(2)],
      withoutData: 3,
    }
    expect(fromText(toText(completion))).toEqual(completion)
  })

  it("about which nothing was asked is what it was", () => {
    const records = [{ id: 1 }]
    expect(asItCame(records)).toEqual({ records, rejected: [], withoutData: 0 })
  })

  it.each([
    "[]",
    "{}",
    '{"records":[],"rejected":[]}',
    '{"records":1,"rejected":[],"withoutData":0}',
    "{",
    "",
  ])("is not read from %j", (text) => {
    expect(fromText(text)).toBeNull()
  })
})
