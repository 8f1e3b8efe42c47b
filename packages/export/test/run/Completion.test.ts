import { describe, expect, it } from "@effect/vitest"
import { completionOf, completionText } from "../../src/run/Job.ts"
import { rejected } from "../fixtures/list.ts"

describe("a completed page", () => {
  it("is remembered with every digit, with its rejected records and the count of those without data", () => {
    const completion = {
      records: [{ id: 1, payload: 9007199254740993n }],
      rejected: [rejected(2)],
      withoutData: 3,
    }
    expect(completionOf(completionText(completion))).toEqual(completion)
  })

  it.each([
    "[]",
    "{}",
    '{"records":[],"rejected":[]}',
    '{"records":1,"rejected":[],"withoutData":0}',
    "{",
    "",
  ])("is not read from %j", (text) => {
    expect(completionOf(text)).toBeNull()
  })
})
