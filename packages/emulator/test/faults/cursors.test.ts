import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { idsOf, read, statusOf, storeIds, reading } from "../asking.ts"

const emulator = (...faults: ReadonlyArray<string>) => make({ contracts: 45, faults })

describe("missing-next", () => {
  it("leaves the member out", async () => {
    expect(Object.keys(await read(emulator("missing-next"), "/v1/contracts/"))).toEqual(["ok", "items"])
  })
})

describe("cursor-ignored", () => {
  it("serves the first page again and again", async () => {
    const pages = await reading(emulator("cursor-ignored"), { atMost: 3 })
    expect(idsOf(pages.slice(1, 2))).toEqual(idsOf(pages.slice(0, 1)))
    expect(idsOf(pages.slice(2, 3))).toEqual(idsOf(pages.slice(0, 1)))
  })
})

describe("cursor-renamed", () => {
  it("listens to the other name alone", async () => {
    const one = emulator("cursor-renamed:parameter=after")
    expect(idsOf(await reading(one, { parameter: "after" }))).toEqual(storeIds(one))
    const deaf = await reading(one, { atMost: 2 })
    expect(deaf[1]).toEqual(deaf[0])
  })
})

describe("cursor-inclusive", () => {
  it("repeats the border record", async () => {
    const [page1, page2] = await reading(emulator("cursor-inclusive"), { atMost: 2 })
    expect(page2?.items[0]).toEqual(page1?.items.at(-1))
  })
})

describe("cursor-constant", () => {
  it("answers the first cursor for ever", async () => {
    const pages = await reading(emulator("cursor-constant"), { atMost: 6 })
    expect(pages).toHaveLength(6)
    expect(new Set(pages.map((page) => page.next_before_id)).size).toBe(1)
    expect(pages[5]?.items).toEqual(pages[1]?.items)
  })
})

describe("cursor-cycle", () => {
  it("leads round two pages for ever, in every read", async () => {
    const one = emulator("cursor-cycle")
    for (const _ of [1, 2]) {
      const pages = await reading(one, { atMost: 7 })
      const first = pages.map((page) => page.items[0]?.id)
      const [page1, page2, page3] = first
      expect(first).toEqual([page1, page2, page3, page2, page3, page2, page3])
      expect(new Set(first).size).toBe(3)
    }
  })
})

describe("empty-page", () => {
  const shape = async (fault: string) => {
    const one = emulator(fault)
    const pages = await reading(one)
    expect(idsOf(pages)).toEqual(storeIds(one))
    expect(new Set(pages.map((page) => page.next_before_id)).size).toBe(pages.length)
    return pages.map((page) => page.items.length)
  }

  it("comes before every page and loses no record", async () => {
    expect(await shape("empty-page")).toEqual([0, 10, 0, 10, 0, 10, 0, 10, 0, 5])
  })

  it("comes so many times in a row before the chosen page", async () => {
    expect(await shape("empty-page:count=3,page=2")).toEqual([10, 0, 0, 0, 10, 10, 10, 5])
    expect(await shape("empty-page:count=2,requests=3")).toEqual([10, 10, 0, 0, 10, 10, 5])
  })

  it.each(["digits", "string", "bigint", "object"] as const)(
    "invents cursors of the kind %s",
    async (cursorKind) => {
      const one = make({ contracts: 25, faults: ["empty-page:page=2"], assumptions: { cursorKind } })
      const page1 = await (await one.fetch("http://emulator.test/v1/contracts/?limit=10", head(one))).text()
      const page2 = await (
        await one.fetch(`http://emulator.test/v1/contracts/?limit=10&${next(page1)}`, head(one))
      ).text()
      expect(page2).toContain('"items":[]')
      const page3 = await (
        await one.fetch(`http://emulator.test/v1/contracts/?limit=10&${next(page2)}`, head(one))
      ).text()
      expect(
        (JSON.parse(page3) as { items: ReadonlyArray<{ id: number }> }).items.map(({ id }) => id),
      ).toEqual(storeIds(one).slice(10, 20))
    },
  )

  const head = ({ apiKey }: ReturnType<typeof make>) => ({ headers: { authorization: `Bearer ${apiKey}` } })
  const next = (body: string) => {
    const raw = /"next_before_id":(.*)\}$/.exec(body)?.[1] ?? ""
    return new URLSearchParams({
      before_id: raw.startsWith('"') ? (JSON.parse(raw) as string) : raw,
    }).toString()
  }
})

describe("a cursor fault with a condition", () => {
  it("acts on the page that it names", async () => {
    const one = emulator("cursor-ignored:page=3")
    const pages = await reading(one, { atMost: 3 })
    expect(idsOf(pages.slice(1, 2))).toEqual(storeIds(one).slice(10, 20))
    expect(idsOf(pages.slice(2, 3))).toEqual(storeIds(one).slice(0, 10))
    expect(await statusOf(one, "/v1/me/")).toBe(200)
  })
})

describe("duplicate", () => {
  it("begins a page with the last records of the one before", async () => {
    const emulator = make({ contracts: 25, faults: ["duplicate:count=2"] })
    const all = storeIds(emulator)
    const pages = await reading(emulator)
    expect(idsOf(pages.slice(0, 1))).toEqual(all.slice(0, 10))
    expect(idsOf(pages.slice(1, 2))).toEqual(all.slice(8, 20))
    expect(idsOf(pages)).toHaveLength(29)
  })
})

describe("mutate", () => {
  it("inserts, updates and removes when the page is served, and no other time", async () => {
    const emulator = make({ contracts: 30, faults: ["mutate:insert=2,update=3,remove=4,from=rest,page=2"] })
    const before = new Map(emulator.store.contracts.map((contract) => [contract.id, contract]))
    await reading(emulator, { atMost: 1 })
    expect(emulator.store.contracts).toHaveLength(30)
    const seen = idsOf(await reading(emulator))
    expect(emulator.store.contracts).toHaveLength(28)
    const inserted = storeIds(emulator).filter((id) => !before.has(id))
    expect(inserted).toHaveLength(2)
    expect(seen).toHaveLength(26)
    expect(seen).not.toEqual(expect.arrayContaining(inserted))
    const updated = emulator.store.contracts.filter(
      ({ id, status }) => (before.get(id)?.status ?? status) !== status,
    )
    expect(updated).toHaveLength(3)
  })

  it("takes only records that were served with from=served", async () => {
    const emulator = make({ contracts: 30, faults: ["mutate:remove=5,from=served,page=1"] })
    const all = storeIds(emulator)
    expect(idsOf(await reading(emulator))).toEqual(all)
    expect(storeIds(emulator).slice(5)).toEqual(all.slice(10))
  })
})
