import { describe, expect, it } from "vitest"
import { shapeOfBody } from "../../src/checkup/ObservedAnswers.ts"

describe("the shape of a body", () => {
  it.each([
    ["", "empty"],
    ["  \n", "empty"],
    ["<html>", "HTML"],
    ["Not found.", "text"],
    ["null", "null"],
    ['"sorry"', "string"],
    ["[]", "[]"],
    ['[{"code": 1}, 2]', "[{code: number}]"],
    [
      '{"error": {"code": "x", "more": {"deep": 1}}, "ok": false}',
      "{error: {code: string, more: {...}}, ok: boolean}",
    ],
    [
      '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}',
      "{a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, ...}",
    ],
  ])("of %s is %s", (text, shape) => {
    expect(shapeOfBody(text)).toBe(shape)
  })

  it("has no value in it, and no name that is more than a name", () => {
    const body = JSON.stringify({ "Ada Lovelace": "ada@example.com", dk_secret_1: 1, "\u001B[2J": 2 })
    expect(shapeOfBody(body, (text) => text === "dk_secret_1")).toBe("{?: string, ?: number, ?: number}")
  })
})
