import { describe, expect, it } from "vitest"
import { decodeCursor, encodeCursor } from "../src/List.ts"
import { RawNumber } from "../src/Wire.ts"

const kinds = ["integer", "digits", "string", "bigint", "object"] as const
const textOf = (id: number, kind: (typeof kinds)[number]) => {
  const cursor = encodeCursor(id, kind)
  return typeof cursor === "string" ? cursor : JSON.stringify(cursor)
}

describe("a cursor", () => {
  it.each(kinds)("of the kind %s leads back to its id", (kind) => {
    for (const id of [1, 42, 999, 1_900_000_000]) expect(decodeCursor(textOf(id, kind), kind)).toBe(id)
  })

  it.each(kinds)("of the kind %s is refused when it is another's or rubbish", (kind) => {
    for (const text of ["", "-1", "1.5", "abc", " 1", "1e3", "null", "p+/%%%&", "{}", "0"]) {
      expect(decodeCursor(text, kind)).toBeUndefined()
    }
  })

  it("of the kind string changes when it is put into a query without encoding", () => {
    const text = textOf(7, "string")
    expect(new URLSearchParams(`before_id=${text}`).get("before_id")).not.toBe(text)
  })

  it("of the kind bigint cannot be held by a double, whatever the id", () => {
    for (let id = 1; id < 50; id++) {
      const cursor = encodeCursor(id, "bigint")
      const digits = cursor instanceof RawNumber ? cursor.digits : ""
      expect(digits).toMatch(/^\d+$/)
      expect(BigInt(Number(digits))).not.toBe(BigInt(digits))
    }
  })
})
