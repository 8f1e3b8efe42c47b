import { make as makeEmulator } from "@deedkit/emulator"
import type { Contract } from "@deedkit/core"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { makeSearch } from "../../src/mcp/Handlers.ts"

const contracts = JSON.parse(
  JSON.stringify(makeEmulator({ contracts: 50 }).store.contracts),
) as ReadonlyArray<Contract.Contract>
const search = (where: ReadonlyArray<string>, text = "") => Result.getOrThrow(makeSearch(where, text))

describe("a search", () => {
  it("without conditions and words is about all", () => {
    expect(contracts.filter(search([]).keeps)).toEqual(contracts)
  })

  it("wants every word somewhere, in any case, and every condition", () => {
    const [one] = contracts
    const words = `${one?.listing?.city.toUpperCase()} ${one?.id}`
    expect(contracts.filter(search([], words).keeps)).toEqual([one])
    expect(contracts.filter(search([`id!=${one?.id}`], words).keeps)).toEqual([])
    expect(contracts.filter(search([], `${words} nowhere`).keeps)).toEqual([])
  })

  it("is named by what it is about, however it was written", () => {
    expect(search(["city=Athens"], " Sea  VIEW ").name).toBe(
      search(["listing.city = Athens"], "sea view").name,
    )
    expect(search([], "sea").name).not.toBe(search([], "view").name)
    expect(search(["id=1"]).name).not.toBe(search(["id=2"]).name)
  })

  it("fails with the nearest column", () => {
    expect(makeSearch(["citty=x"], "")).toMatchObject({
      failure: { reason: { _tag: "ColumnUnknown", nearest: "listing.city" } },
    })
  })
})
