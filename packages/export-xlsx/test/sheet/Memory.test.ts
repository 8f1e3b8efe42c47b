import { expect, it } from "@effect/vitest"
import { Memory } from "../../src/sheet/Memory.ts"

const many = Array.from({ length: 10_000 }, (_, at) => `text ${at}`)

it("knows what a text became, and nothing of other texts", () => {
  const memory = new Memory()
  memory.keep("Athens", "<Athens>")
  expect([memory.get("Athens"), memory.get("Chania")]).toEqual(["<Athens>", undefined])
})

it("keeps no long text", () => {
  const memory = new Memory()
  memory.keep("a".repeat(128), "kept")
  memory.keep("a".repeat(129), "not kept")
  expect([memory.get("a".repeat(128)), memory.get("a".repeat(129))]).toEqual(["kept", undefined])
})

it("still remembers when most texts come again, however many there are", () => {
  const memory = new Memory()
  for (const text of many) {
    memory.keep(text, text)
    expect(memory.get(text)).toBe(text)
  }
})

it("stops when texts come only once", () => {
  const memory = new Memory()
  for (const text of many) memory.keep(text, text)
  memory.keep("Athens", "<Athens>")
  expect(memory.get("Athens")).toBeUndefined()
})
