import { describe, expect, it } from "vitest"
import { encode, encodeOnce, RawNumber, timestamp } from "../../src/wire/Wire.ts"

describe("JSON text", () => {
  it("keeps every digit of a raw number, wherever it stands", () => {
    const digits = "123456789012345678901234567890"
    expect(encode({ id: new RawNumber(digits), list: [new RawNumber("1.10")] })).toBe(
      `{"id":${digits},"list":[1.10]}`,
    )
  })

  it("is made once for each record, and anew for a changed one", () => {
    const record = { id: 1 }
    expect(encodeOnce(record)).toBe('{"id":1}')
    record.id = 2
    expect(encodeOnce(record)).toBe('{"id":1}')
    expect(encodeOnce({ ...record })).toBe('{"id":2}')
  })
})

describe("a timestamp", () => {
  it.each([
    [0, "2026-01-02T03:04:05Z"],
    [3, "2026-01-02T03:04:05.678Z"],
    [6, "2026-01-02T03:04:05.678000Z"],
  ] as const)("has %d digits of a second", (digits, written) => {
    expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 678), digits)).toBe(written)
  })
})
