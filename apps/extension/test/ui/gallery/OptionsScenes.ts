/** The options page in each of its states. */
import type { AppState } from "../../../src/messages/AppState.ts"
import type { TestFinding } from "../../../src/messages/PageMessage.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import { checked, hostile, ready, smaller, connection, unread, unset, world } from "./Worlds.ts"

const size = [920, 680] as const
const error = {
  _tag: "UserError",
  message: "This is not a valid API key.",
  advice: "Copy it again from the service's dashboard.",
} as const

const options = (name: string, state: AppState, more: Partial<Scene> = {}): Scene => ({
  page: "options",
  name,
  world: world(state),
  size,
  ...more,
})

const tested = { origin: "https://api.homes.example", hasKey: true, about: null, failure: null } as const
const contracts = { _tag: "Scope", endpoint: "contracts", scope: "read:contracts" } as const
const withoutKeys: TestFinding = {
  ...tested,
  _tag: "Scope",
  endpoint: "api-keys",
  scope: "read:api_keys",
  about: "scope",
  failure: { _tag: "MissingScope", scope: "read:api_keys" },
}
const clock: TestFinding = { ...tested, _tag: "Clock", aheadMillis: 0 }
const parameter = { _tag: "Verified", parameter: "before_id", evidence: null } as const

/** What the test finds with a key that lacks its scope. */
export const missingScope: ReadonlyArray<TestFinding> = [
  { ...tested, ...contracts, about: "scope", failure: { _tag: "MissingScope", scope: "read:contracts" } },
  withoutKeys,
  clock,
  { _tag: "End" },
]

/** What the test finds when there is nothing to say. */
export const allGood: ReadonlyArray<TestFinding> = [
  { ...tested, ...contracts },
  withoutKeys,
  { ...tested, _tag: "CursorParameter", assumed: "before_id", found: parameter, isCutShort: false },
  clock,
  { _tag: "End" },
]

const withSites: AppState = {
  ...ready,
  sites: [
    {
      origin: "https://homes.example",
      isGranted: true,
      isOn: true,
      patterns: ["/homes/:slug", "?listing=:id"],
    },
    {
      origin: "https://lettings.an-agency-with-a-long-name.example:8443",
      isGranted: false,
      isOn: true,
      patterns: [],
    },
  ],
}

const testing = async (page: Visit): Promise<void> => {
  await page.click("button", "Test connection")
  await page.sees(".verdict:not(:empty)")
  await page.bringPart("Connection test")
}

const trying =
  (address: string) =>
  async (page: Visit): Promise<void> => {
    await page.unfold("homes.example")
    await page.fill("Test an address", address)
    await page.sees(".tester-verdict, .tester-result > p")
    await page.bring(".tester", "end")
  }

const clearing = async (page: Visit): Promise<void> => {
  await page.click("button", "Clear everything…")
  await page.bringPart("Clear everything?")
}

export const optionsScenes: ReadonlyArray<Scene> = [
  options("set-up", ready),
  options("not-set-up", unset),
  options("no-key", { ...connection({ _tag: "NoKey" }, unread), keyHint: null }),
  options("wrong-key", connection({ _tag: "WrongKey" })),
  options("no-permission", connection({ _tag: "NoPermission", origin: "https://api.homes.example" })),
  options("other-address", ready, {
    act: (page) => page.fill("Service address", "https://api.other.example"),
    isPictured: false,
  }),
  options("address-denied", ready, {
    isAllowed: false,
    act: async (page) => {
      await page.fill("Service address", "https://api.other.example")
      await page.click("button", "Save address")
      await page.reads("did not allow")
    },
  }),
  options("address-unusable", unset, {
    act: async (page) => {
      await page.fill("Service address", "http://api.homes.example")
      await page.click("button", "Save address")
    },
    isPictured: false,
  }),
  options("key-refused", ready, {
    world: world(ready, { answers: { "page.setKey": error } }),
    act: async (page) => {
      await page.fill("Replace the key", "not a key")
      await page.click("button", "Save key")
      await page.reads(error.message)
    },
    isPictured: false,
  }),
  options("key-forgetting", ready, {
    act: (page) => page.click("button", "Remove key"),
    isPictured: false,
  }),
  options("test-failed", ready, {
    world: world(ready, { findings: missingScope }),
    act: testing,
  }),
  options("test-good", ready, {
    world: world(ready, { findings: allGood }),
    act: testing,
  }),
  options("test-running", ready, {
    world: world(ready, { findings: allGood.slice(0, 1), testEnds: false }),
    act: testing,
    isPictured: false,
  }),
  options("sites", withSites, {
    address: "#sites",
    world: world(withSites, { hereSlug: "olive-loft" }),
    act: trying("https://homes.example/homes/olive-loft?tab=plan"),
  }),
  options("site-unknown-address", withSites, {
    address: "#sites",
    act: trying("https://homes.example/about-us"),
    isPictured: false,
  }),
  options("site-wanted", ready, { address: "?site=https%3A%2F%2Fother.example#sites", isPictured: false }),
  options("site-denied", ready, {
    address: "#sites",
    isAllowed: false,
    act: async (page) => {
      await page.fill("Address of a listing site", "other.example")
      await page.click("button", "Allow site")
      await page.reads("did not allow")
    },
  }),
  options(
    "syncing",
    {
      ...ready,
      sync: {
        _tag: "Syncing",
        startedAt: "2026-03-01T14:19:40Z",
        pages: 12,
        records: 1_200,
        expected: 2_500,
        waiting: { reason: "rate-limited", until: "2026-03-01T14:20:40Z" },
      },
      index: { ...ready.index, rejected: 3 },
    },
    { address: "#contracts" },
  ),
  options("protected", ready, {
    address: "#contracts",
    act: (page) => page.bringPart("Saved data"),
    isPictured: false,
  }),
  options("unprotected", ready, {
    address: "#contracts",
    isProtected: false,
    act: async (page) => {
      await page.click("button", "Protect saved data")
      await page.reads("declined the request")
      await page.bringPart("Contracts")
    },
  }),
  options("notifications-denied", ready, {
    address: "#contracts",
    isAllowed: false,
    isPictured: false,
    act: async (page) => {
      await page.click("switch", "Notify me when watched contracts change")
      await page.reads("did not allow notifications")
      await page.bringWords("did not allow notifications")
    },
  }),
  options("smaller", smaller),
  options("checked", checked, { address: "#contracts", act: (page) => page.bringPart("Contracts") }),
  options(
    "smaller-unfinished",
    {
      ...smaller,
      index: {
        ...smaller.index,
        completedAt: null,
        contracts: 1,
        smaller: { id: "some-list", contracts: 0 },
      },
    },
    { size: [360, 740], isPictured: false },
  ),
  options("keys", ready, {
    address: "#keys",
    act: (page) => page.bringPart("Keyboard shortcuts"),
    size: [920, 420],
  }),
  options("look", ready, { address: "#look", isPictured: false }),
  options("clearing", withSites, { address: "#clear", act: clearing }),
  options("cleared", ready, {
    address: "#clear",
    world: world(ready, { answers: { "page.clear": unset } }),
    act: async (page) => {
      await clearing(page)
      await page.click("button", "Clear all data")
      await page.reads("Everything was cleared.")
    },
    isPictured: false,
  }),
  options("narrow", withSites, {
    address: "#sites",
    size: [360, 740],
    world: world(withSites, { hereSlug: "olive-loft" }),
    act: trying("https://homes.example/homes/olive-loft"),
  }),
  options("rtl", withSites, {
    address: "#sites",
    direction: "rtl",
    world: world(withSites, { hereSlug: "olive-loft" }),
    act: trying("https://homes.example/homes/olive-loft"),
  }),
  options("hostile", withSites, {
    address: "#sites",
    size: [360, 740],
    world: world(withSites, {
      contracts: [{ ...hostile, row: { ...hostile.row, slug: "x".repeat(150) } }],
    }),
    act: trying(`https://homes.example/${"x".repeat(150)}`),
    isPictured: false,
  }),
]
