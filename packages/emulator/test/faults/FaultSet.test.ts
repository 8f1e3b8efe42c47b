import { InvalidSetting, kinds, make } from "@deedkit/emulator"
import type { Fault, When } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { bodies } from "../../src/faults/bodies.ts"
import { cursors } from "../../src/faults/cursors.ts"
import { delivery } from "../../src/faults/delivery.ts"
import { toText } from "../../src/faults/FaultSet.ts"
import { records } from "../../src/faults/records.ts"
import { refusals } from "../../src/faults/refusals.ts"
import { ask, instantClock, statusOf, storeIds } from "../asking.ts"

describe("the text form", () => {
  it("sets attributes and condition side by side", () => {
    const { faults } = make()
    faults.set(["rate-limit:retryAfter=1,requests=3+5-7,form=list"])
    expect(faults.list()).toEqual([
      { name: "rate-limit", retryAfter: "1", when: { requests: [3, 5, 6, 7], form: "list" } },
    ])
  })

  it("lets values hold commas, equals signs and colons", () => {
    const { faults } = make({ faults: ["not-json:html=<a href=x>, b: c,contentType=text/plain"] })
    expect(faults.list()).toEqual([{ name: "not-json", html: "<a href=x>, b: c", contentType: "text/plain" }])
  })

  it("comes back from data", () => {
    const text = "status:code=404,requests=1+2,path=/v1/"
    const { faults } = make({ faults: [text] })
    expect(faults.list().map(toText)).toEqual([text])
    expect(toText({ name: "drop" })).toBe("drop")
  })

  it.each([
    ["latncy", 'there is no fault "latncy"; did you mean "latency"?'],
    ["latency:mss=1", 'there is no attribute of the fault latency "mss"; did you mean "ms"?'],
    ["latency:ms=soon", 'the attribute of the fault latency "ms" cannot be "soon"; it takes a number from 0'],
    ["drop:every=x", 'the condition of a fault "every" cannot be "x"; it takes a whole number from 0'],
  ])("refuses %s with a sentence", (text, sentence) => {
    expect(() => make({ faults: [text] })).toThrow(new InvalidSetting(sentence))
  })
})

describe("the set of faults", () => {
  it("can be replaced, added to and cleared while the emulator runs", async () => {
    const emulator = make()
    emulator.faults.set([{ name: "status", code: 418 }])
    expect(await statusOf(emulator, "/v1/me/")).toBe(418)
    emulator.faults.set(["status:code=410"])
    expect(await statusOf(emulator, "/v1/me/")).toBe(410)
    emulator.faults.add({ name: "gzip" }, "latency:ms=0")
    expect(emulator.faults.list().map(({ name }) => name)).toEqual(["status", "gzip", "latency"])
    emulator.faults.clear()
    expect(await statusOf(emulator, "/v1/me/")).toBe(200)
  })

  it("keeps what was set when a new one is refused", () => {
    const emulator = make({ faults: ["drop"] })
    expect(() => emulator.faults.set(["gzip", "nonsense"])).toThrow(InvalidSetting)
    expect(() => emulator.faults.add({ name: 7 } as unknown as Fault)).toThrow(
      "a fault is a text or an object",
    )
    expect(emulator.faults.list()).toEqual([{ name: "drop" }])
  })

  it("counts anew when a fault is set again", async () => {
    const emulator = make()
    const once: Fault = { name: "status", code: 418, when: { times: 1 } }
    for (const _ of [1, 2]) {
      emulator.faults.set([once])
      expect(await statusOf(emulator, "/v1/me/")).toBe(418)
      expect(await statusOf(emulator, "/v1/me/")).toBe(200)
    }
  })

  it("adds up: late, limited and cut", async () => {
    const emulator = make({ faults: ["latency:ms=0", "rate-limit", "cut:bytes=5"] })
    const answer = await ask(emulator, "/v1/me/")
    expect(answer.status).toBe(429)
    await expect(answer.text()).rejects.toThrow("terminated")
    expect(emulator.journal.entries[0]?.fault).toBe("latency+rate-limit+cut")
  })
})

/** What of six answers a fault changes: three pages, the second once more, a contract, the owner of the key. */
const observe = async (faults: ReadonlyArray<string>) => {
  const clock = instantClock()
  const emulator = make({ contracts: 9, clock, faults })
  const ids = storeIds(emulator)
  const list = "/v1/contracts/?limit=3"
  const second = `${list}&before_id=${ids[2]}`
  const paths = [
    list,
    second,
    `${list}&before_id=${ids[5]}`,
    second,
    `/v1/contracts/?id=${ids[4]}`,
    "/v1/me/",
  ]
  const answers = []
  for (const path of paths) {
    const headers = { authorization: `Bearer ${emulator.apiKey}` }
    answers.push((await emulator.answer(new Request(`http://emulator.test${path}`, { headers }))).answer)
  }
  const seen = {
    status: answers.map(({ status }) => status),
    headers: answers.map(({ headers }) => headers),
    body: answers.map(({ body }) => body),
    delivery: answers.map(({ delivery }) => delivery),
    waits: clock.waits,
    store: emulator.store.contracts,
  }
  return { seen, named: emulator.journal.entries.map(({ fault }) => fault) }
}

/** Attributes without which a fault does not show in so few requests, or costs too much. */
const shown: Readonly<Record<string, string>> = {
  quota: "limit=2",
  huge: "bytes=3000",
  mutate: "insert=1,from=served",
}

describe("every fault", () => {
  it("is in one table alone, with one sentence and defaults that it accepts", () => {
    const names = [bodies, cursors, delivery, records, refusals].flatMap((table) => Object.keys(table))
    expect(kinds.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    for (const { name, description } of kinds) {
      expect(description).toMatch(/^[A-Z][^\n]+\.$/)
      expect(() => make({ faults: [name] })).not.toThrow()
    }
  })

  it("is in the journal, and changes of the answers what is listed here and nothing else", async () => {
    const quiet = await observe([])
    expect(quiet.named).toEqual([null, null, null, null, null, null])
    const lines: Array<string> = []
    for (const { name } of kinds) {
      const { named, seen } = await observe([shown[name] === undefined ? name : `${name}:${shown[name]}`])
      expect(named).toContain(name)
      const changed = Object.entries(seen).filter(
        ([place, value]) =>
          JSON.stringify(value) !== JSON.stringify(quiet.seen[place as keyof typeof quiet.seen]),
      )
      lines.push(`${name}: ${changed.map(([place]) => place).join(", ")}`)
    }
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "latency: headers, waits
      drop: body, delivery
      cut: delivery
      slow: delivery
      stall: delivery
      huge: body
      gzip: headers, delivery
      rate-limit: status, headers, body
      storm: status, body
      quota: status, headers, body
      server-error: status, body
      burst: status, body
      status: status, body
      redirect: status, headers, body
      scope-missing: status, body
      key-revoked: status, headers, body
      not-json: headers, body
      html-error: status, headers, body
      ok-false: body
      invalid-json: body
      truncated-json: body
      wrong-form: body
      wrong-record: body
      unknown-status: body
      missing-field: body
      wrong-type: body
      null-listing: body
      odd-timestamp: body
      missing-next: body
      cursor-ignored: body
      cursor-renamed: body
      cursor-inclusive: body
      cursor-constant: body
      cursor-cycle: body
      empty-page: body
      duplicate: body
      mutate: store"
    `)
  })
})

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
