// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import type { PageRequest } from "../../../src/messages/PageMessage.ts"
import { Audit } from "../../../src/ui/audit/Audit.tsx"
import * as KeyLook from "../../../src/ui/audit/KeyLook.ts"
import { keysAnswer, looked } from "../gallery/AuditScenes.ts"

afterEach(Desk.tidy)

const cards = (): ReadonlyArray<string> =>
  [...document.querySelectorAll(".key-card")].map((card) => Desk.words(card))

const open = (answer: unknown, state = Desk.full) =>
  Desk.mount(state, h(Audit, {}), ({ type }: PageRequest, now) => (type === "page.apiKeys" ? answer : now))

describe("the audit of API keys", () => {
  it("shows the keys that need attention, the most severe first, with the evidence and what to do", async () => {
    await open(keysAnswer(looked))
    expect(Desk.words()).toContain("API keys that need attention: 4 of 7.")
    expect(cards()).toHaveLength(4)
    expect(cards()[0]).toMatch(/^Old laptop \(lost\) ?High ?Key 56 ?Used on .*Feb.* revoked on .*Feb/)
    const never = cards().find((card) => card.startsWith("Test of the new site"))
    expect(never).toMatch(/Never used in the 119 days .* Revoke it/)
    const many = cards().find((card) => card.startsWith("Everything"))
    expect(many).toMatch(
      /Grants 6 scopes: .*Grants scopes that the service's documentation does not list: read:reports/,
    )
    expect(cards().some((card) => card.startsWith("Nightly export"))).toBe(false)
  })

  it("says that nothing needs a look, of how many keys, and whether they are all", async () => {
    await open(keysAnswer(looked.slice(0, 3), false))
    expect(Desk.words()).toContain("No API keys need attention. 3 keys checked.")
    expect(Desk.words()).toContain("The list may be incomplete.")
  })

  it("asks once when it is opened, and again when told to", async () => {
    const { requests } = await open(keysAnswer([]))
    expect(requests).toEqual([{ type: "page.apiKeys" }])
    await Desk.press("Refresh")
    expect(requests).toHaveLength(2)
  })

  it("shows why the service could not be asked", async () => {
    await open(Desk.failed("No."))
    expect(Desk.alerts()).toEqual(["No. Do it again."])
    expect(cards()).toEqual([])
  })

  it("asks nothing and shows nothing while there is no key or it is locked", async () => {
    const desk = await open(keysAnswer(looked))
    await desk.set({ ...Desk.full, connection: { _tag: "Locked" } })
    await Desk.settle()
    expect(cards()).toEqual([])
    expect(desk.requests).toHaveLength(1)
  })

  it("keeps the number for the popup, and neither a name nor a scope", async () => {
    await open(keysAnswer(looked))
    expect(JSON.parse(localStorage.getItem("keys") ?? "")).toEqual({
      account: "https://api.example.com/ 7f3a",
      at: expect.any(Number),
      keys: 4,
    })
  })
})

describe("the number of keys that need attention", () => {
  const account = KeyLook.accountOf(Desk.full)!
  const now = Date.parse("2026-03-01T14:20:00Z")
  const day = 86_400_000

  const asking = async (answer: unknown) => {
    const desk = await Desk.mount(Desk.full, null, () => answer)
    return { desk, count: (at: number, of = account) => KeyLook.count(desk.background, of, at) }
  }

  it("is asked for once a day, and anew for another account", async () => {
    const { count, desk } = await asking(keysAnswer(looked))
    expect(await count(now)).toBe(4)
    expect(await count(now + day - 1)).toBe(4)
    expect(desk.requests).toHaveLength(1)
    await count(now + day)
    await count(now + day, "https://other.example/ 7f3a")
    expect(desk.requests).toHaveLength(3)
  })

  it("is none for a key that may not list keys, which is not asked about again that day", async () => {
    const { count, desk } = await asking(Desk.failed("The key lacks a scope."))
    expect(await count(now)).toBe(0)
    expect(await count(now + 1)).toBe(0)
    expect(desk.requests).toHaveLength(1)
  })

  it("is asked for when what was kept cannot be read", async () => {
    localStorage.setItem("keys", "{")
    const { count } = await asking(keysAnswer(looked))
    expect(await count(now)).toBe(4)
  })

  it("is not there without an account", () => {
    expect(KeyLook.accountOf(Desk.empty)).toBeNull()
  })
})
