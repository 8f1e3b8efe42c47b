import { describe, expect, it } from "vitest"
import * as Leftovers from "../../src/rules/Leftovers.ts"
import { found, tried } from "../workspace.ts"

const path = "packages/core/test/X.test.ts"

/** Spelt in two halves, so that a plain search of the tree for these words does not stop here. */
const word = (...halves: ReadonlyArray<string>) => halves.join("")

describe("Leftovers", () => {
  it("no notes to oneself, idle tests, silenced checks or abandoned types are left behind", () => {
    expect(found(Leftovers.check)).toEqual([])
  })

  it.each([
    word("// TO", "DO: later"),
    word("/* FIX", "ME */"),
    word("// X", "XX"),
    word("/** A HA", "CK. */"),
    word("// @ts-", "ignore"),
    word("// oxlint-", "disable-next-line no-console"),
    word("/* eslint-", "disable */"),
    word("const a = b as", " any"),
    word("it.", "only('x', f)"),
    word("it.effect.", "skip('x', f)"),
    word("describe.", "skip.each([1])('x', f)"),
    word("test.", "todo('x')"),
  ])("finds what is left in: %s", (text) => {
    expect(tried(Leftovers.check, path, `\n${text}`)).toEqual([expect.stringContaining(`${path}:2 `)])
  })

  it.each([
    word("const text = 'TO", "DO'"),
    "it.effect('x', f)",
    word("// as", " any reader sees"),
    word("const text = 'it.", "only()'"),
    "// @ts-expect-error: a number is no scope",
  ])("accepts: %s", (text) => {
    expect(tried(Leftovers.check, path, text)).toEqual([])
  })
})
