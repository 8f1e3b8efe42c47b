import { InvalidSetting, kinds, make } from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { fromText, toText } from "../../src/faults/FaultText.ts"
import { ask, statusOf } from "../asking.ts"

describe("the text form", () => {
  it("sets attributes and condition side by side", () => {
    const { faults } = make()
    faults.set(["rate-limit:retryAfter=1,requests=3+5-7,form=list"])
    expect(faults.list()).toEqual([
      { name: "rate-limit", retryAfter: "1", when: { requests: [3, 5, 6, 7], form: "list" } },
    ])
  })

  it("lets values hold commas, equals signs and colons", () => {
    expect(fromText("not-json:html=<a href=x>, b: c,contentType=text/plain")).toEqual({
      name: "not-json",
      html: "<a href=x>, b: c",
      contentType: "text/plain",
    })
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

describe("the registry", () => {
  it("gives every fault its own name, one sentence, and defaults that it accepts", () => {
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length)
    for (const { name, description } of kinds) {
      expect(description).toMatch(/^[A-Z][^\n]+\.$/)
      expect(() => make({ faults: [name] })).not.toThrow()
    }
  })
})
