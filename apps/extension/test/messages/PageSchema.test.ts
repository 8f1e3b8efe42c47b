import { describe, expect, it } from "vitest"
import { leastRefreshMinutes, mostRefreshMinutes } from "../../src/messages/AppState.ts"
import { readPageRequest } from "../../src/messages/Requests.ts"
import { requests } from "./Requests.ts"

const isPageRequest = (value: unknown): boolean => readPageRequest(value) !== null
const settings = (chosen: object): object => ({ type: "page.setSettings", settings: chosen })

describe("requests of the extension's pages", () => {
  it.each(requests.map((request) => [request.type, request] as const))(
    "are answered: %s",
    (_type, request) => {
      expect(isPageRequest(request)).toBe(true)
    },
  )

  it.each(requests.map((request) => [request.type, request] as const))(
    "are refused with a member that is not named, and without one that is: %s",
    (_type, request) => {
      expect(isPageRequest({ ...request, more: 1 })).toBe(false)
      for (const name of Object.keys(request)) {
        const { [name]: _left, ...rest } = request as unknown as { readonly [name: string]: unknown }
        expect(isPageRequest(rest)).toBe(false)
      }
    },
  )

  it("may set any of the settings, and none at all", () => {
    expect(isPageRequest(settings({}))).toBe(true)
    expect(
      isPageRequest(settings({ refreshMinutes: null, toolbarCount: false, keyStorage: "session" })),
    ).toBe(true)
    for (const minutes of [leastRefreshMinutes, mostRefreshMinutes]) {
      expect(isPageRequest(settings({ refreshMinutes: minutes }))).toBe(true)
    }
  })

  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["an interval that would ask without pause", settings({ refreshMinutes: leastRefreshMinutes - 1 })],
    ["an interval that never comes", settings({ refreshMinutes: mostRefreshMinutes + 1 })],
    ["an interval of no number", settings({ refreshMinutes: Number.NaN })],
    ["a theme that there is not", settings({ theme: "blue" })],
    ["a setting that there is not", settings({ key: "some-key" })],
    ["no settings", { type: "page.setSettings", settings: null }],
    ["an id that is a text", { type: "page.refresh", id: "12" }],
    ["an address without end", { type: "page.linkPage", url: "a".repeat(10_001), listing: null }],
    ["a key without end", { type: "page.setKey", key: "a".repeat(5_001) }],
    ["too many patterns", { type: "page.setPatterns", origin: "a", patterns: Array(51).fill("/:slug") }],
    ["a name without end", { type: "page.addAccount", name: "a".repeat(61) }],
    ["a file without end", { type: "page.importSettings", text: "a".repeat(20_000_001) }],
    ["what only content scripts ask", { type: "listing.lookup", references: ["a"] }],
  ]
  it.each(wrong)("are refused: %s", (_what, request) => {
    expect(isPageRequest(request)).toBe(false)
  })
})
