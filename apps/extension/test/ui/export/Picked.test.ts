import { array, assert, integer, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import * as Picked from "../../../src/ui/export/Form.ts"

const fragmentOf = (account: string, ids: ReadonlyArray<number>): string => {
  const page = Picked.pageOf(account, ids)
  return page.slice(page.indexOf("#"))
}

describe("the contracts that an address picks for an export", () => {
  it("are those that it was made of, each once and in order, whatever the account is called", () => {
    const ids = array(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), {
      minLength: 1,
      maxLength: 50,
    })
    assert(
      property(string(), ids, (account, picked) => {
        const expected = [...new Set(picked)].toSorted((one, other) => one - other)
        expect(Picked.read(fragmentOf(account, picked), account)).toEqual(expected)
        expect(Picked.read(fragmentOf(account, picked), `${account}x`)).toEqual([])
      }),
    )
  })

  it("are at most ten thousand", () => {
    const many = Array.from({ length: Picked.mostPicked + 5 }, (_, at) => at + 1)
    expect(Picked.read(fragmentOf("first", many), "first")).toHaveLength(Picked.mostPicked)
    expect(Picked.read(`#account=first&contracts=${many.join(".")}`, "first")).toEqual([])
  })

  it.each([
    "",
    "#",
    "#make",
    "#account=first",
    "#account=first&contracts=",
    "#account=first&contracts=1.x",
    "#account=first&contracts=0",
    "#account=first&contracts=1.5.-2",
    "#contracts=1",
  ])("are none where it names no contracts of the account: %s", (fragment) => {
    expect(Picked.read(fragment, "first")).toEqual([])
  })
})
