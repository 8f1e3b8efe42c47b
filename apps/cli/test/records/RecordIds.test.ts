import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { parseIds, resolveIds } from "../../src/records/RecordGet.ts"

const failure = (effect: Effect.Effect<unknown, { readonly message: string }>): string => {
  const exit = Effect.runSyncExit(Effect.flip(effect))
  return Exit.isSuccess(exit) ? exit.value.message : "no error"
}

describe("ids", () => {
  it("are read from lines, commas and spaces, in their order", () => {
    expect(Effect.runSync(parseIds("12\r\n7, 9;12\n\n 3\t4 "))).toEqual([12, 7, 9, 12, 3, 4])
  })

  it.each([["0"], ["-3"], ["1.5"], ["0x1f"], ["id"], ["9007199254740993"], ["１２"]])(
    "%s is none, and nothing is sent",
    (word) => {
      expect(failure(parseIds(`12\n${word}`))).toContain(`Invalid id "${word}" on standard input`)
    },
  )

  it("of an empty input are missing", () => {
    expect(failure(parseIds(" \n"))).toContain("No id on standard input")
  })

  it("of standard input are read once, and not where the API key is", () => {
    expect(Effect.runSync(resolveIds(["4", "5"], true))).toEqual([4, 5])
    expect(failure(resolveIds(["-", "4", "-"], false))).toContain("- can be used only once")
    expect(failure(resolveIds(["-"], true))).toContain("cannot hold both the API key and ids")
  })
})
