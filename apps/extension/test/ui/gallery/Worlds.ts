/** The worlds that scenes begin with: states of the extension and a few contracts of many kinds, friendly and not. */
import type { AppState, ChangesAnswer, ConnectionState } from "../../../src/messages/AppState.ts"
import type { ContractDetail } from "../../../src/index/PageIndex.ts"
import type { PageCard } from "../../../src/messages/TabMessage.ts"
import type { World } from "../desk/FakeBackground.ts"

export const unset: AppState = {
  accounts: [{ id: "first", name: "", baseUrl: null }],
  account: "first",
  baseUrl: null,
  keyHint: null,
  connection: { _tag: "NoAddress" },
  sync: { _tag: "Idle" },
  index: {
    contracts: 0,
    listings: 0,
    completedAt: null,
    isStale: false,
    rejected: 0,
    smaller: null,
    head: null,
  },
  watched: { ids: [], changed: [] },
  next: { head: null, complete: null },
  sites: [],
  settings: { theme: "system", refreshMinutes: 60, toolbarCount: true, pill: true, keyStorage: "device" },
  cursorParam: null,
}

export const ready: AppState = {
  ...unset,
  accounts: [{ id: "first", name: "", baseUrl: "https://api.homes.example/" }],
  baseUrl: "https://api.homes.example/",
  keyHint: "7f3a",
  connection: { _tag: "Ready" },
  index: {
    contracts: 2_500,
    listings: 812,
    completedAt: "2026-03-01T14:00:00Z",
    isStale: false,
    rejected: 0,
    smaller: null,
    head: null,
  },
  next: { head: null, complete: "2026-03-01T15:00:00Z" },
  sites: [{ origin: "https://homes.example", isGranted: true, isOn: true, patterns: [] }],
  cursorParam: "before_id",
}

/** The first page shows what is new and changed, and was read since everything was. */
export const checked: AppState = {
  ...ready,
  index: {
    ...ready.index,
    completedAt: "2026-03-01T00:04:00Z",
    head: { order: "changes", readAt: "2026-03-01T14:15:00Z" },
  },
  next: { head: "2026-03-01T14:30:00Z", complete: "2026-03-02T00:04:00Z" },
}

/** What has changed since, the earliest first. */
export const changed: ChangesAnswer = {
  last: 7,
  changes: [
    { id: 2311, kind: "gone", at: "2026-02-27T09:00:00Z", unit: "Room 9", title: null, fields: [] },
    {
      id: 1204,
      kind: "changed",
      at: "2026-02-28T16:30:00Z",
      unit: "4 B",
      title: "Olive loft",
      fields: ["status", "template_id", "deposit_cents"],
    },
    { id: 2402, kind: "new", at: "2026-03-01T11:15:00Z", unit: " ", title: "Sea view", fields: [] },
    {
      id: 2402,
      kind: "changed",
      at: "2026-03-01T13:45:00Z",
      unit: "12",
      title: "Sea view",
      fields: ["unit_label", "status"],
      words: { status: ["draft", "active"] },
    },
    { id: 2403, kind: "new", at: "2026-03-01T14:00:00Z", unit: "Αποθήκη 3", title: null, fields: [] },
    {
      id: 988,
      kind: "changed",
      at: "2026-03-01T14:00:00Z",
      unit: "A unit whose label has no end, as labels do that somebody pasted from a contract of sale".repeat(
        2,
      ),
      title: "A listing with a title of its own that is longer than any popup is wide",
      fields: [
        "status",
        "kind",
        "listing",
        "unit_label",
        "unit_id",
        "template_id",
        "some_member_of_the_service",
      ],
    },
    { id: 31, kind: "gone", at: "2026-03-01T14:00:00Z", unit: "7", title: "Garden house", fields: [] },
  ],
}

/** A later read listed far fewer contracts, and what to use is not decided yet. */
export const smaller: AppState = {
  ...ready,
  index: { ...ready.index, smaller: { id: "some-list", contracts: 3 } },
}

/** Set up, but without anything read. */
export const unread: AppState = { ...ready, index: unset.index }

export const connection = (connection: ConnectionState, state = ready): AppState => ({ ...state, connection })

interface Made {
  readonly id: number
  readonly kind: string
  readonly status: string
  readonly unit: string
  readonly title: string | null
  readonly city?: string
  readonly slug?: string
  readonly area?: string
  readonly updatedAt: string
  readonly extra?: ReadonlyArray<readonly [name: string, value: string]>
}

/** A contract with everything that the index keeps of it. */
export const contract = (made: Made): ContractDetail => {
  const { extra = [], id, kind, status, title, unit, updatedAt } = made
  const slug = title === null ? null : (made.slug ?? title.toLowerCase().replaceAll(/[^a-z\d]+/g, "-"))
  const city = title === null ? null : (made.city ?? "Lisboa")
  const listingId = title === null ? null : String(id + 40_000)
  return {
    row: {
      id,
      kind,
      status,
      unitLabel: unit,
      listingId: listingId === null ? null : Number(listingId),
      title,
      city,
      slug,
      updatedAt,
    },
    seenAt: "2026-03-01T13:59:12Z",
    fields: [
      { name: "id", value: String(id) },
      { name: "listing_id", value: listingId },
      { name: "kind", value: kind },
      { name: "status", value: status },
      { name: "created_at", value: "2024-09-14T08:05:11Z" },
      { name: "updated_at", value: updatedAt },
      { name: "unit_id", value: String(id * 7) },
      { name: "unit_label", value: unit },
      { name: "template_id", value: "12" },
      { name: "listing.id", value: listingId },
      { name: "listing.slug", value: slug },
      { name: "listing.title", value: title },
      { name: "listing.city", value: city },
      { name: "listing.area", value: title === null ? null : (made.area ?? "Alfama") },
      ...extra.map(([name, value]) => ({ name, value })),
    ],
  }
}

export const contracts: ReadonlyArray<ContractDetail> = [
  contract({
    id: 1324,
    kind: "sale",
    status: "active",
    unit: "Sous-sol",
    title: "Exarchia maisonette with roof terrace",
    city: "Athens",
    area: "Exarchia",
    updatedAt: "2026-03-01T13:07:00Z",
  }),
  contract({
    id: 1323,
    kind: "rent",
    status: "active",
    unit: "Hinterhaus 3 4",
    title: "The “Olive” loft, Kolonaki",
    city: "Athens",
    area: "Kolonaki",
    slug: "olive-loft",
    updatedAt: "2026-03-01T09:52:00Z",
    extra: [
      ["deposit_cents", "240000"],
      ["data", '{"notice":{"months":3},"keys":["door","mail"],"pets":false}'],
    ],
  }),
  contract({
    id: 1322,
    kind: "rent",
    status: "ended",
    unit: "Bloco C, 41 3",
    title: "The “Olive” loft, Kolonaki",
    city: "Athens",
    slug: "olive-loft",
    updatedAt: "2026-02-26T19:24:00Z",
  }),
  contract({
    id: 1321,
    kind: "rent",
    status: "draft",
    unit: "Porte 12B",
    title: "Mieszkanie 145 m², Podgórze",
    city: "Kraków",
    updatedAt: "2026-02-25T18:20:00Z",
  }),
  contract({
    id: 1319,
    kind: "seasonal",
    status: "on hold",
    unit: "Bloco C, 41",
    title: "T2 com varanda em Alfama",
    updatedAt: "2026-02-16T01:04:00Z",
  }),
  contract({
    id: 1318,
    kind: "rent",
    status: "active",
    unit: "Garage 7",
    title: null,
    updatedAt: "2026-01-30T10:00:00Z",
  }),
  contract({
    id: 1316,
    kind: "rent",
    status: "active",
    unit: "דירה 4",
    title: "דירת גן בפלורנטין",
    city: "תל אביב",
    slug: "florentin-garden",
    updatedAt: "2026-01-12T10:00:00Z",
  }),
  contract({
    id: 1311,
    kind: "sale",
    status: "ended",
    unit: "2. OG links",
    title: "Altbau am Kanal",
    city: "Berlin",
    updatedAt: "2025-12-02T10:00:00Z",
  }),
  contract({
    id: 1307,
    kind: "rent",
    status: "active",
    unit: "Apt 9",
    title: "Harbour view, two bedrooms",
    city: "Rotterdam",
    updatedAt: "2025-10-02T10:00:00Z",
  }),
  contract({
    id: 1299,
    kind: "rent",
    status: "active",
    unit: "Piso 3º izq.",
    title: "Ático luminoso en Ruzafa",
    city: "València",
    updatedAt: "2025-09-02T10:00:00Z",
  }),
]

const card = (id: number, title: string, slug: string): PageCard => ({ id, title, references: [slug] })

/** The listings of a page: some of these contracts', and two without any between them. */
export const cards: ReadonlyArray<PageCard> = [
  card(1, "Exarchia maisonette with roof terrace", "exarchia-maisonette-with-roof-terrace"),
  card(2, "The “Olive” loft, Kolonaki", "olive-loft"),
  card(3, "Studio by the old harbour, no lift", "studio-harbour"),
  card(4, "T2 com varanda em Alfama", "t2-com-varanda-em-alfama"),
  card(5, "Harbour view, two bedrooms", "harbour-view-two-bedrooms"),
  card(6, "Garden flat", "garden-flat"),
  card(7, "Altbau am Kanal", "altbau-am-kanal"),
]

/** A listing with more contracts than its row shows, and its card. */
export const shared = Array.from({ length: 5 }, (_, at) =>
  contract({
    id: 1_210 - at,
    kind: "rent",
    status: at === 0 ? "draft" : "ended",
    unit: `Room ${at + 1}`,
    title: "Shared house in Gràcia, six rooms with a common kitchen and a terrace",
    city: "Barcelona",
    slug: "shared-house",
    updatedAt: `2025-0${6 - at}-02T10:00:00Z`,
  }),
)
export const sharedCard = card(8, "Shared house", "shared-house")

/** Fields that a service should not give and may. */
export const hostile = contract({
  id: 9_007_199_254_740_991,
  kind: "<img src=x onerror=alert(1)>",
  status: `status-${"without-end-".repeat(40)}`,
  unit: `=HYPERLINK("https://evil.example")\u202e${"W".repeat(4_000)}`,
  title: `<script>alert(1)</script> ${"lång ".repeat(2_000)}`,
  city: "Ł".repeat(2_000),
  slug: "../../options.html?site=https://evil.example",
  updatedAt: "2026-03-01T14:10:00Z",
  extra: [["__proto__", `"${"x".repeat(3_000)}"`]],
})

/** What a page may call its listings, the last of them with hostile contracts. */
export const hostileCards: ReadonlyArray<PageCard> = [
  card(1, `<img src=x onerror=alert(1)> ${"W".repeat(150)}`, "nothing"),
  card(2, "\u202egnp.exe", "nothing-else"),
  card(3, "", hostile.row.slug!),
]

export const world = (state: AppState, changes: Partial<World> = {}): World => ({
  state,
  contracts: state.index.contracts === 0 ? [] : contracts,
  hereSlug: null,
  service: "answers",
  findings: [],
  testEnds: true,
  answers: {},
  ...changes,
})
