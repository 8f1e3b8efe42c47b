import { describe, expect, it } from "vitest"
import { pagedList, record, records } from "../fixtures/PagedList.ts"
import { readList, world } from "../fixtures/Setup.ts"

/** A second reading finds that records have gone, and asks for them by id. */
const withoutThree = async (answer: (id: number) => { readonly status: number } | undefined) => {
  const service = pagedList(records(45), {
    cursor: "opaque position",
    before: ({ cursor, id, limit }, _, list) => {
      if (cursor === null && limit === 7) list.splice(2, 3)
      return id === null ? undefined : answer(id)
    },
  })
  const it = await world({ transport: service.send, client: { retry: { attempts: 2 } } })
  const { error, pages } = await it.run(readList(it.client.contracts.pages({ prove: true })))
  return { error, summary: pages.at(-1)!.summary, ids: service.asked.flatMap(({ id }) => id ?? []) }
}

describe("records that only the first reading had", () => {
  it("are asked for by id, each once, and explained when they are not there any more", async () => {
    const { error, ids, summary } = await withoutThree(() => undefined)
    expect(error).toBeNull()
    expect(ids.toSorted((a, b) => a - b)).toEqual([41, 42, 43])
    expect(summary.completeness).toMatchObject({ state: "confirmed", readings: 3, differences: 3 })
  })

  it("are counted as requests, those that fail and their retries too", async () => {
    const { error, ids, summary } = await withoutThree((id) => (id === 42 ? { status: 503 } : undefined))
    expect(error).toBeNull()
    expect(ids).toHaveLength(4)
    expect(summary.retries).toBe(1)
    expect(summary.completeness).toMatchObject({ state: "unverified", reason: "reading-failed" })
  })

  it("and are still there mean that a reading missed them: the list is read again", async () => {
    const hidden: Array<ReturnType<typeof record>> = []
    const service = pagedList(records(45), {
      cursor: "opaque position",
      before: ({ cursor, id, limit }, _, list) => {
        // The second reading is answered without two records, all other requests with them.
        if (limit === 7 && cursor === null) hidden.push(...list.splice(2, 2))
        else if (id !== null || limit === 8) list.splice(2, 0, ...hidden.splice(0))
        return undefined
      },
    })
    const it = await world({ transport: service.send })
    const { pages } = await it.run(readList(it.client.contracts.pages({ prove: true })))
    const { completeness } = pages.at(-1)!.summary
    expect(service.asked.some(({ id }) => id === 43)).toBe(true)
    expect(completeness.readings).toBeGreaterThan(2)
    expect(completeness.differences).toBeGreaterThanOrEqual(2)
  })
})
