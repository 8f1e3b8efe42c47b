import { expect, it } from "vitest"
import * as TextFile from "../../src/store/TextFile.ts"

it("reads UTF-8 with and without a byte order mark", () => {
  expect(TextFile.decode(Buffer.from("\uFEFFΚλειδί\r\n"))).toBe("Κλειδί\r\n")
  expect(TextFile.decode(Buffer.from("{}"))).toBe("{}")
  expect(TextFile.decode(Buffer.alloc(0))).toBe("")
})

it.each([
  ["little endian", Buffer.from("\uFEFFkey", "utf16le")],
  ["big endian", Buffer.from("\uFEFFkey", "utf16le").swap16()],
])("names UTF-16, %s", (_, bytes) => {
  expect(() => TextFile.decode(bytes)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/UTF-16/) }),
  )
})
