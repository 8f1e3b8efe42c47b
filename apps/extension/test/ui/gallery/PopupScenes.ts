/** The popup in each of its states. */
import type { AppState, ConnectionState } from "../../../src/messages/AppState.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import {
  cards,
  changed,
  checked,
  connection,
  contracts,
  hostile,
  hostileCards,
  ready,
  shared,
  sharedCard,
  smaller,
  unread,
  unset,
  world,
} from "./Worlds.ts"

const tab = "https://homes.example/homes/olive-loft"

const popup = (name: string, state: AppState, more: Partial<Scene> = {}): Scene => ({
  page: "popup",
  name,
  world: world(state),
  tab,
  ...more,
})

const linked: AppState = {
  ...ready,
  accounts: [
    {
      ...ready.accounts[0]!,
      links: { "https://homes.example/properties/87766707": contracts[1]!.row.listingId! },
    },
  ],
}
const search = "Search contracts"
const rows = (page: Visit) => page.sees("[role=option]")
const someChanges = (page: Visit) => page.reads("2 new, 2 changed, 2 gone")
const watching: AppState = {
  ...checked,
  watched: { ids: [2402], changed: [[2402, checked.index.head!.readAt!]] },
}

const openChanges = async (page: Visit): Promise<void> => {
  await someChanges(page)
  await page.click("button", "2 new, 2 changed, 2 gone")
  await page.sees(".change", 7)
}
const progress = async (page: Visit): Promise<void> => {
  await rows(page)
  await page.sees("progress, [role=progressbar]")
}

const typing =
  (typed: string) =>
  async (page: Visit): Promise<void> => {
    await page.fill(search, typed)
    await page.reads(/found|No matches/)
  }

const opening =
  (place: number) =>
  async (page: Visit): Promise<void> => {
    await rows(page)
    await page.evaluate(() => document.querySelector<HTMLElement>("[role=combobox]")!.focus())
    for (let step = 0; step < place; step++) await page.press("ArrowDown")
    await page.press("Enter")
    await page.reads(/^Synced|no contract/m)
  }

const lastFailure: ReadonlyArray<readonly [name: string, failure: ConnectionState]> = [
  ["no-permission", { _tag: "NoPermission", origin: "https://api.homes.example" }],
  ["wrong-key", { _tag: "WrongKey" }],
  ["missing-scope", { _tag: "MissingScope", scope: "read:contracts" }],
  ["rate-limited", { _tag: "RateLimited", until: "2026-03-01T14:21:00Z" }],
  ["offline", { _tag: "Offline" }],
  ["unreachable", { _tag: "Unreachable" }],
  ["server-fault", { _tag: "ServerFault", status: 503 }],
  [
    "unreadable",
    {
      _tag: "UnreadableData",
      detail: "NotTheApi · GET /v1/contracts/ · status: 200 · contentType: text/html · requestId: 8c1f",
    },
  ],
  ["storage", { _tag: "StorageFailed" }],
  [
    "cursor",
    {
      _tag: "CursorUntrusted",
      detail: "CursorIgnored · GET /v1/contracts/ · cursorParam: before_id · kind: same-records",
    },
  ],
]

const syncing: AppState["sync"] = {
  _tag: "Syncing",
  startedAt: "2026-03-01T14:19:40Z",
  pages: 12,
  records: 1_200,
  expected: 2_500,
  waiting: null,
}

const error = {
  _tag: "UserError",
  message: "Service error (503).",
  advice: "The service returned an error. Try again later.",
} as const

const enter =
  (listings = cards.length + 1) =>
  async (page: Visit): Promise<void> => {
    await page.click("button", `${listings} listings on this page`)
    await page.sees(".on-page")
  }
const enterRows = async (page: Visit): Promise<void> => {
  await enter()(page)
  await page.sees(".listing")
}

/** The listings of the page in front. */
const onPage = (name: string, more: Partial<Scene> = {}): Scene =>
  popup(`on-page${name}`, ready, {
    world: world(ready, { contracts: [...contracts, ...shared] }),
    cards: [...cards, sharedCard],
    act: enterRows,
    ...more,
  })

const onPageScenes: ReadonlyArray<Scene> = [
  onPage(""),
  onPage("-entry", { act: (page) => page.reads("8 listings on this page") }),
  onPage("-filtered", {
    act: async (page) => {
      await enterRows(page)
      await page.click("button", "ended 6")
      await page.choose("Sort by", "updated")
      await page.evaluate(() => document.querySelector<HTMLElement>(".on-page [role=listbox]")!.focus())
      await page.press("ArrowDown")
    },
  }),
  onPage("-gone", {
    act: async (page) => {
      await enterRows(page)
      await page.press("Enter")
      await page.reads("not visible")
    },
    isPictured: false,
  }),
  onPage("-failed", {
    world: world(ready, { failing: ["index.listing"] }),
    act: async (page) => {
      await enter()(page)
      await page.reads("could not be loaded")
    },
    isPictured: false,
  }),
  onPage("-hostile", {
    world: world(ready, { contracts: [hostile, ...contracts] }),
    cards: [...hostileCards, ...cards.slice(3)],
    act: async (page) => {
      await enter(hostileCards.length + 4)(page)
      await page.sees(".listing")
    },
  }),
  onPage("-rtl", { direction: "rtl" }),
  { ...onPage(""), page: "sidepanel", size: [360, 820] },
  { ...onPage("-high"), page: "sidepanel", size: [360, 1000] },
]

export const popupScenes: ReadonlyArray<Scene> = [
  popup("here", ready, { world: world(ready, { hereSlug: "olive-loft" }) }),
  popup("link-page", ready, {
    tab: "https://homes.example/properties/87766707",
    act: async (page) => {
      await rows(page)
      await page.click("button", "Link this page to a listing")
      await page.sees(".link-page [role=option]")
    },
  }),
  popup("looks-like", ready, {
    tab: "https://homes.example/rent",
    links: contracts.map(({ row }, at) => `/rent/flat-${at}/${row.listingId ?? 90_000_001}`),
    act: (page) => page.sees(".looks-like"),
  }),
  popup("looks-like-edit", ready, {
    tab: "https://homes.example/rent",
    links: contracts.map(({ row }, at) => `/rent/flat-${at}/${row.listingId ?? 90_000_001}`),
    act: async (page) => {
      await page.sees(".looks-like")
      await page.click("button", "Edit")
      await page.sees(".looks-like-edit")
    },
  }),
  popup("linked", linked, { tab: "https://homes.example/properties/87766707", act: rows }),
  popup("latest", ready, { tab: null, act: rows }),
  popup("found", ready, { act: typing("a") }),
  popup("found-nothing", ready, { act: typing("#1999") }),
  popup("found-terms", ready, { act: typing("city:ath status:act") }),
  popup("filtered", ready, {
    act: async (page) => {
      await rows(page)
      await page.click("button", "active 6")
      await page.reads("6 found")
    },
  }),
  popup("commands", ready, {
    act: async (page) => {
      await page.fill(search, ">")
      await page.sees("[role=option]", 4)
    },
  }),
  popup("first-rows", ready, { world: world(ready, { waiting: ["index.search"] }), isPictured: false }),
  popup("detail", ready, { world: world(ready, { hereSlug: "olive-loft" }), act: opening(0) }),
  popup("detail-listing", linked, {
    world: world(linked, {
      contracts: [
        {
          ...contracts[2]!,
          row: { ...contracts[2]!.row, listingId: contracts[1]!.row.listingId, status: "on_hold" },
        },
        ...contracts.filter((_, at) => at !== 2),
      ],
      hereSlug: "olive-loft",
    }),
    act: async (page) => {
      await opening(1)(page)
      await page.sees(".siblings")
      await page.bring(".siblings", "end")
    },
  }),
  popup("detail-watched", ready, {
    isPictured: false,
    act: async (page) => {
      await opening(0)(page)
      await page.click("button", "Watch")
    },
  }),
  popup("detail-no-listing", ready, { act: opening(5), isPictured: false }),
  popup("detail-refused", ready, { world: world(ready, { service: error }), act: opening(1) }),
  popup("detail-unknown", ready, { address: "?contract=1999", size: [900, 700], tab: null }),
  popup("detail-copied", ready, {
    act: async (page) => {
      await opening(1)(page)
      await page.click("button", "Copy as table row")
      await page.reads("Paste it into a spreadsheet")
    },
  }),
  popup("in-a-tab", ready, {
    address: "?listing=olive-loft",
    size: [900, 700],
    tab: null,
    world: world(ready, { hereSlug: "olive-loft" }),
  }),
  popup("hostile", ready, { world: world(ready, { contracts: [hostile, ...contracts] }), act: rows }),
  popup("hostile-detail", ready, {
    world: world(ready, { contracts: [hostile, ...contracts] }),
    act: opening(0),
  }),
  popup("rtl", ready, { world: world(ready, { hereSlug: "olive-loft" }), direction: "rtl", act: rows }),
  popup("not-set-up", unset),
  popup("no-key", { ...connection({ _tag: "NoKey" }, unread), keyHint: null }),
  popup("nothing-read", unread),
  popup(
    "first-sync",
    { ...unread, sync: { ...syncing, records: 300, expected: null } },
    { act: (page) => page.sees("progress, [role=progressbar]") },
  ),
  popup("syncing", { ...ready, sync: syncing }, { act: progress }),
  popup(
    "sync-paused",
    {
      ...ready,
      sync: { ...syncing, waiting: { reason: "rate-limited", until: "2026-03-01T14:20:40Z" } },
    },
    { act: progress },
  ),
  popup(
    "stale",
    { ...ready, index: { ...ready.index, isStale: true, completedAt: "2026-02-26T09:00:00Z" } },
    { act: rows },
  ),
  popup("checked", checked, {
    world: world(checked, { answers: { "index.changes": changed } }),
    act: someChanges,
  }),
  popup("changes", checked, {
    world: world(checked, { answers: { "index.changes": changed } }),
    act: openChanges,
  }),
  popup("changes-watched", watching, {
    world: world(watching, { answers: { "index.changes": changed } }),
    isPictured: false,
    act: async (page) => {
      await page.click("button", "1 watched · 2 new, 2 changed, 2 gone")
      await page.reads("watched")
    },
  }),
  popup("changes-many", checked, {
    world: world(checked, { answers: { "index.changes": { ...changed, last: 900 } } }),
    isPictured: false,
    act: openChanges,
  }),
  popup("changes-rtl", checked, {
    world: world(checked, { answers: { "index.changes": changed } }),
    direction: "rtl",
    isPictured: false,
    act: openChanges,
  }),
  popup("smaller", smaller, { act: rows }),
  popup("smaller-and-offline", connection({ _tag: "Offline" }, smaller), { act: rows, isPictured: false }),
  popup(
    "smaller-refused",
    { ...smaller, index: { ...smaller.index, smaller: { id: "some-list", contracts: 0 } } },
    {
      world: world(smaller, { failing: ["page.decideList"] }),
      act: async (page) => {
        await page.click("button", "Use the new list")
        await page.reads("did not respond")
      },
      isPictured: false,
    },
  ),
  popup(
    "site-off",
    { ...ready, sites: [{ ...ready.sites[0]!, isOn: false }] },
    { act: rows, isPictured: false },
  ),
  popup("site-unknown", { ...ready, sites: [] }, { act: rows }),
  popup(
    "site-once-refused",
    { ...ready, sites: [] },
    {
      world: world(
        { ...ready, sites: [] },
        {
          answers: {
            "page.showOnce": {
              _tag: "UserError",
              message: "The browser does not allow extensions on this page.",
              advice: "Open the popup with the toolbar button on the page itself, and try again.",
            },
          },
        },
      ),
      act: async (page) => {
        await page.click("button", "Show once")
        await page.reads("does not allow extensions")
      },
      isPictured: false,
    },
  ),
  popup("looked-up", ready, { address: "?find=olive&in=popup", act: rows, isPictured: false }),
  popup("looked-up-link", ready, {
    address: `?link=${encodeURIComponent(tab)}&in=popup`,
    world: world(ready, { hereSlug: "olive-loft" }),
    act: rows,
    isPictured: false,
  }),
  {
    ...popup("here", ready, { world: world(ready, { hereSlug: "olive-loft" }) }),
    page: "sidepanel",
    size: [360, 820],
  },
  { ...popup("detail-high", ready, { act: opening(1) }), page: "sidepanel", size: [400, 1000] },
  { ...popup("detail-wide", ready, { act: opening(1) }), page: "sidepanel", size: [860, 640] },
  popup("site-taken-back", { ...ready, sites: [{ ...ready.sites[0]!, isGranted: false }] }, { act: rows }),
  ...lastFailure.map(([name, failure]) => popup(name, connection(failure), { act: rows })),
  popup("wrong-key-nothing-read", connection({ _tag: "WrongKey" }, unread)),
  ...onPageScenes,
]
