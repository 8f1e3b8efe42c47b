import { describe, expect, it } from "vitest"
import { clean, cleanJson, cleanLines, pad, truncate, width, wrap } from "../../src/terminal/TerminalText.ts"

describe("text for a terminal", () => {
  it("shows what a terminal would act upon instead of sending it", () => {
    expect(clean("a\u001B[2Jb\r\nc\u0000\u007F")).toBe("a␛[2Jb␍␊c␀␡")
    expect(clean("\u009B2J\u202Eevil\u2066\u2028")).toBe("\uFFFD2J\uFFFDevil\uFFFD\uFFFD")
    expect(clean("\uD800x")).toBe("\uFFFDx")
    expect(clean("Ισόγειο 佐藤 👩‍👩‍👧")).toBe("Ισόγειο 佐藤 👩‍👩‍👧")
  })

  it("keeps the lines of a file, but no carriage return that would write over one", () => {
    expect(cleanLines("a\tb\r\nc\rd\u001B\n")).toBe("a\tb\r\nc␍d␛\n")
  })

  it("keeps JSON the same value", () => {
    const value = { title: "\u009B2J\u202E\u007F\u0007", lines: ["a\nb"] }
    const text = cleanJson(JSON.stringify(value, null, 2))
    expect(JSON.parse(text)).toEqual(value)
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })

  it("counts the columns that characters take", () => {
    expect(["abc", "佐藤", "e\u0301", "👩‍👩‍👧", ""].map(width)).toEqual([3, 4, 1, 2, 0])
  })

  it("cuts between characters and never exceeds its columns", () => {
    expect(truncate("abcdef", 6)).toBe("abcdef")
    expect(truncate("abcdef", 4)).toBe("abc…")
    expect(truncate("佐藤佐藤", 4)).toBe("佐…")
    expect(truncate("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5)).toBe("👩‍👩‍👧👩‍👩‍👧…")
    expect(truncate("abc", 0)).toBe("")
    expect(truncate("\u200B".repeat(65_536), 4)).toBe(`${"\u200B".repeat(64)}…`)
    expect(truncate(`ab${"\u0301".repeat(65_536)}`, 4)).toBe("a…")
  })

  it("pads by columns on either side", () => {
    expect([pad("佐", 4), pad("12", 4, "right"), pad("long", 2)]).toEqual(["佐  ", "  12", "long"])
  })
})

describe("wrapping", () => {
  it.each<readonly [string, number, ReadonlyArray<string>]>([
    ["fits", 10, ["fits"]],
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 3, ["one", "two", "three"]],
    ["a verylongword here", 6, ["a", "verylongword", "here"]],
    ["\u6771\u4eac \u6771\u4eac", 5, ["\u6771\u4eac", "\u6771\u4eac"]],
    ["  deedkit export contracts --resume", 10, ["  deedkit export contracts --resume"]],
    ["", 10, [""]],
  ])("%j in %i columns is %j", (text, columns, lines) => {
    expect(wrap(text, columns)).toEqual(lines)
  })
})
