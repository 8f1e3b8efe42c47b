import { expect, it } from "@effect/vitest"
import { nearest } from "../../src/table/Table.ts"

const candidates = ["id", "status", "listing.city", "created_at"]

it.each([
  ["stauts", "status"],
  ["STATUS", "status"],
  ["city", "listing.city"],
  ["create_at", "created_at"],
  ["ids", "id"],
  ["crea", "created_at"],
  ["cr", null],
  ["wholly other", null],
  ["", null],
])("%j is nearest to %j", (word, expected) => {
  expect(nearest(word, candidates)).toBe(expected)
})
