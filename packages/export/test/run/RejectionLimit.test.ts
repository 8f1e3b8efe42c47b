import { expect, it } from "@effect/vitest"
import { countMembers, defaultLimits, line, tooMany } from "../../src/run/RejectedRecords.ts"
import { rejected } from "../fixtures/list.ts"

it.each([
  [1, 1, false],
  [19, 19, false],
  [1, 20, false],
  [2, 20, true],
  [5, 100, false],
  [6, 100, true],
  [100, 1_000_000, false],
  [101, 1_000_000, true],
])("%i of %i records are too many: %s", (rejected, seen, expected) => {
  expect(tooMany(rejected, seen, defaultLimits)).toBe(expected)
})

it("keeps a record digit for digit with its reasons, one line each", () => {
  expect(line("contracts", rejected(5))).toBe(
    '{"table":"contracts","id":5,"issues":[{"path":"listing.city","expected":"string","found":"nothing"}],' +
      '"raw":{"id":5,"reference":9007199254740993}}\n',
  )
})

it("counts what was wrong, most frequent first", () => {
  const other = { ...rejected(3), issues: [{ path: "id", expected: "integer", found: "string" }] }
  expect(countMembers([other, rejected(1), rejected(2)])).toEqual([
    { path: "listing.city", expected: "string", found: "nothing", records: 2 },
    { path: "id", expected: "integer", found: "string", records: 1 },
  ])
})
