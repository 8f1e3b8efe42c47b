import { expect, it } from "@effect/vitest"
import { countMembers, defaultLimits, rejectedLine, tooMany, withoutFile } from "../../src/run/Sidecars.ts"
import { rejected } from "../fixtures/list.ts"

const member = { path: "listing.city", expected: "string", found: "nothing" }

const some = (count: number) => Array.from({ length: count }, (_, id) => rejected(id))

it.each([
  [1, 1, false],
  [19, 19, false],
  [1, 20, false],
  [2, 20, true],
  [5, 100, false],
  [6, 100, true],
  [100, 1_000_000, false],
  [101, 1_000_000, true],
])("%i of %i records are too many: %s", (count, seen, expected) => {
  expect(tooMany(some(count), seen, defaultLimits) !== null).toBe(expected)
})

it("says of how many records they are too many, and what was wrong", () => {
  expect(tooMany(some(3), 30, { records: 2, share: 1, afterRecords: 1 })?.reason).toEqual({
    _tag: "TooManyRejected",
    rejected: 3,
    seen: 30,
    members: [{ ...member, records: 3 }],
  })
})

it("names the record that no file can take, and does not show it", () => {
  expect(withoutFile("-", rejected(9)).reason).toEqual({
    _tag: "RejectedHaveNoFile",
    target: "-",
    id: 9,
    members: [{ ...member, records: 1 }],
  })
})

it("keeps a record digit for digit with its reasons, one line each", () => {
  expect(rejectedLine("contracts", rejected(5))).toBe(
    '{"table":"contracts","id":5,"issues":[{"path":"listing.city","expected":"string","found":"nothing"}],' +
      '"raw":{"id":5,"reference":9007199254740993}}\n',
  )
})

it("counts what was wrong, most frequent first", () => {
  const other = { ...rejected(3), issues: [{ path: "id", expected: "integer", found: "string" }] }
  expect(countMembers([other, rejected(1), rejected(2)])).toEqual([
    { ...member, records: 2 },
    { path: "id", expected: "integer", found: "string", records: 1 },
  ])
})
