/** Plain requests to an emulator, a clock that never waits, and a read over all pages: what the tests ask with. */
import type { Clock, Emulator } from "@deedkit/emulator"

/** A success body, read without any schema. */
export interface Body {
  readonly ok?: unknown
  readonly error?: unknown
  readonly items: ReadonlyArray<Record<string, unknown> & { readonly id: number }>
  readonly next_before_id: string | number | null
  readonly contract: Record<string, unknown> & { readonly id: number }
  readonly api_key: Record<string, unknown> & { readonly id: number }
}

/** Asks with the full key unless another, or none (null), is given. */
export const ask = (
  emulator: Emulator,
  path: string,
  key: string | null = emulator.apiKey,
): Promise<Response> =>
  emulator.fetch(`http://emulator.test${path}`, {
    redirect: "manual",
    headers: { accept: "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
  })

/** The answer's JSON. */
export const read = async (emulator: Emulator, path: string): Promise<Body> =>
  JSON.parse(await (await ask(emulator, path)).text()) as Body

/** Status of an answer. */
export const statusOf = async (emulator: Emulator, path: string, key?: string | null): Promise<number> =>
  (await ask(emulator, path, key)).status

/** Pages of a read, at most `atMost`, by the given cursor parameter. */
export const reading = async (
  emulator: Emulator,
  { limit = 10, parameter = "before_id", atMost = 100, path = "/v1/contracts/" } = {},
): Promise<ReadonlyArray<Body>> => {
  const pages: Array<Body> = []
  let cursor = ""
  do {
    const page = await read(emulator, `${path}?limit=${limit}${cursor}`)
    pages.push(page)
    const next = page.next_before_id
    cursor = next === null || next === undefined ? "" : `&${parameter}=${encodeURIComponent(next)}`
  } while (cursor !== "" && pages.length < atMost)
  return pages
}

/** Ids of pages, in order. */
export const idsOf = (pages: ReadonlyArray<Body>): ReadonlyArray<number> =>
  pages.flatMap((page) => page.items.map((item) => item.id))

/** Ids of all contracts in the order of the store. */
export const storeIds = (emulator: Emulator): ReadonlyArray<number> =>
  emulator.store.contracts.map((contract) => contract.id)

/** A clock on which every wait is over at once, and which remembers what was waited. */
export const instantClock = (
  start = Date.UTC(2026, 0, 1),
): Clock & { readonly waits: ReadonlyArray<number> } => {
  let now = start
  const waits: Array<number> = []
  return {
    waits,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
  }
}
