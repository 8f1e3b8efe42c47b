import type { Column } from "@deedkit/export"
import { describe, expect, it } from "vitest"
import * as Widths from "../../src/sheet/Widths.ts"

const column: Column.Column<string> = { name: "area", label: "Area", kind: "text", get: (text) => text }
const widthOf = (texts: ReadonlyArray<string>, more: Partial<Column.Column<string>> = {}) =>
  Widths.of([{ ...column, ...more }], ["Area"], texts)[0]

const usual = Array.from({ length: 99 }, () => "Kolonaki")

describe("the width of a column", () => {
  it("shows every text whole where the longest is short", () => {
    expect(widthOf([...usual, "Neuhausen-Nymphenburg"])).toBe("Neuhausen-Nymphenburg".length + 2)
  })

  it.each([
    ["Area", 8.5],
    ["Contracts created", 14],
    ["Other members (JSON)", 18],
    ["Last updated, now ended", 18],
  ])("leaves room for the heading %j on two lines", (heading, width) => {
    expect(Widths.of([column], [heading], ["a"])[0]).toBe(width)
  })

  it("is not decided by one long text", () => {
    expect(widthOf([...usual, "An area with a name that nobody uses"])).toBe("Kolonaki".length + 2)
  })

  it("is decided by long texts that are usual, up to a limit", () => {
    const long = Array.from({ length: 20 }, () => "An area with a name of its own")
    expect(widthOf([...usual, ...long])).toBe("An area with a name of its own".length + 2)
    expect(widthOf(["x".repeat(500)])).toBe(42)
    expect(widthOf(["x".repeat(500)], { wraps: true })).toBe(40)
  })
})

describe("the lines of a text in a column of 20 digits, which is 22 characters", () => {
  it.each([
    ["", 1],
    ["read:contracts", 1],
    ["a".repeat(22), 1],
    ["a".repeat(23), 2],
    ["read:contracts read:me", 1],
    ["read:contracts read:listings", 2],
    ["read:contracts read:me read:listings read:keys", 3],
    [`${"a".repeat(30)} b`, 2],
    [`a ${"b".repeat(50)}`, 4],
    ["one\ntwo\n\nfour", 4],
    ["港区の物件と契約の一覧表です", 2],
    ["word ".repeat(1_000), 12],
  ])("of %j are %i", (text, lines) => {
    expect(Widths.lines(text, 20)).toBe(lines)
  })
})
