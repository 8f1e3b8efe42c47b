import { make } from "@deedkit/emulator"
import type { When } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { statusOf, storeIds } from "../../asking.ts"

const hits = async (when: When, paths: ReadonlyArray<string>, seed = 1) => {
  const emulator = make({ seed, faults: [{ name: "status", code: 418, when }] })
  const seen: Array<number> = []
  for (const path of paths) seen.push(await statusOf(emulator, path))
  return seen.map((status) => (status === 418 ? "x" : "-")).join("")
}
const six = Array.from({ length: 6 }, () => "/v1/contracts/")

describe("the condition of a fault", () => {
  it("is met by every request when it is empty", async () => {
    expect(await hits({}, six)).toBe("xxxxxx")
  })

  it("names requests by their position", async () => {
    expect(await hits({ requests: [2, 5] }, six)).toBe("-x--x-")
  })

  it("takes every so many", async () => {
    expect(await hits({ every: 2 }, six)).toBe("-x-x-x")
  })

  it("ends after so many times", async () => {
    expect(await hits({ times: 2 }, six)).toBe("xx----")
    expect(await hits({ every: 2, times: 2 }, six)).toBe("-x-x--")
  })

  it("draws the same chances from the same seed", async () => {
    const many = Array.from({ length: 40 }, () => "/v1/contracts/")
    const drawn = await hits({ probability: 0.5 }, many)
    expect(drawn).toContain("x")
    expect(drawn).toContain("-")
    expect(await hits({ probability: 0.5 }, many)).toBe(drawn)
    expect(await hits({ probability: 0.5 }, many, 2)).not.toBe(drawn)
    expect(await hits({ probability: 0 }, six)).toBe("------")
  })

  it("looks at path and form, and counts only what they let through", async () => {
    const mixed = ["/v1/me/", "/v1/contracts/", "/v1/contracts/?id=1", "/v1/api-keys/", "/v1/contracts/"]
    expect(await hits({ path: "/contracts/" }, mixed)).toBe("-xx-x")
    expect(await hits({ form: "list" }, mixed)).toBe("-x-xx")
    expect(await hits({ form: "retrieve" }, mixed)).toBe("--x--")
    expect(await hits({ form: "single" }, mixed)).toBe("x----")
    expect(await hits({ path: "/contracts/", form: "list", requests: [2] }, mixed)).toBe("----x")
  })

  it("knows the page of a read by the cursors that were handed out", async () => {
    const ids = storeIds(make())
    const reading = ["", ids[9], ids[19], ids[29]].map((id) =>
      id === undefined || id === "" ? "/v1/contracts/?limit=10" : `/v1/contracts/?limit=10&before_id=${id}`,
    )
    expect(await hits({ page: 3 }, reading)).toBe("--x-")
    expect(await hits({ page: 1 }, reading)).toBe("x---")
  })

  it("takes a cursor that no answer has named for the page that it begins nearest to", async () => {
    const ids = storeIds(make())
    const shifted = [4, 5, 14, 24, 25].map((at) => `/v1/contracts/?limit=10&before_id=${ids[at]}`)
    expect(await hits({ page: 3 }, shifted)).toBe("--x--")
    expect(await hits({ page: 3 }, ["/v1/contracts/?limit=10&before_id=none"])).toBe("-")
  })

  it("is refused when it cannot be read", () => {
    expect(() => make({ faults: [{ name: "drop", when: { probability: 2 } }] })).toThrow("from 0 to 1")
    expect(() => make({ faults: ["drop:form=page"] })).toThrow('"form" cannot be "page"')
  })
})
