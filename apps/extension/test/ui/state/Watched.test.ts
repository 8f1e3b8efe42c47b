// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest"
import * as Watched from "../../../src/ui/state/Watched.ts"

const account = { account: "first", baseUrl: "https://api.example.com/" }
const key = "watched first https://api.example.com/"

afterEach(() => localStorage.clear())

describe("watched contracts", () => {
  it("are those of one account, and of one service", () => {
    Watched.set(account, 7, true)
    Watched.set(account, 9, true)
    Watched.set(account, 7, false)
    expect([...Watched.of(account)]).toEqual([9])
    expect(Watched.of({ ...account, account: "second" }).size).toBe(0)
    expect(Watched.of({ ...account, baseUrl: "https://other.example/" }).size).toBe(0)
  })

  it("are kept by their ids alone, and nothing is kept for none", () => {
    Watched.set(account, 7, true)
    expect([Object.keys(localStorage), localStorage.getItem(key)]).toEqual([[key], "[7]"])
    Watched.set(account, 7, false)
    expect(localStorage).toHaveLength(0)
  })

  it("are so many at most, and the one that was watched first makes room", () => {
    localStorage.setItem(key, JSON.stringify(Array.from({ length: Watched.mostWatched }, (_, at) => at + 1)))
    Watched.set(account, 9_999, true)
    const ids = Watched.of(account)
    expect([ids.size, ids.has(1), ids.has(9_999)]).toEqual([Watched.mostWatched, false, true])
  })

  it.each(["", "nonsense", "{}", "null", '["7", null, 1.5]'])("are none where %j is kept", (kept) => {
    localStorage.setItem(key, kept)
    expect(Watched.of(account).size).toBe(0)
    Watched.set(account, 7, true)
    expect([...Watched.of(account)]).toEqual([7])
  })
})
