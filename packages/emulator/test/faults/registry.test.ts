import { kinds, make } from "@deedkit/emulator"
import type { Fault } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { instantClock } from "../asking.ts"

/** What of six answers a fault changes, and the attributes that let it show in so few. */
interface Seen {
  readonly in: ReadonlyArray<"status" | "headers" | "body" | "delivery" | "waits" | "store">
  readonly attributes?: string
}

/** Has an entry for every fault: one that is missing is an error of types and of the test below. */
const table: Readonly<Record<Fault["name"], Seen>> = {
  latency: { in: ["headers", "waits"] },
  "rate-limit": { in: ["status", "headers", "body"] },
  storm: { in: ["status", "body"] },
  quota: { in: ["status", "headers", "body"], attributes: "limit=2" },
  "server-error": { in: ["status", "body"] },
  burst: { in: ["status", "body"] },
  status: { in: ["status", "body"] },
  drop: { in: ["body", "delivery"] },
  cut: { in: ["delivery"] },
  slow: { in: ["delivery"] },
  stall: { in: ["delivery"] },
  huge: { in: ["body"], attributes: "bytes=3000" },
  gzip: { in: ["headers", "delivery"] },
  "not-json": { in: ["headers", "body"] },
  "html-error": { in: ["status", "headers", "body"] },
  "ok-false": { in: ["body"] },
  "invalid-json": { in: ["body"] },
  "truncated-json": { in: ["body"] },
  redirect: { in: ["status", "headers", "body"] },
  "wrong-form": { in: ["body"] },
  "wrong-record": { in: ["body"] },
  "unknown-status": { in: ["body"] },
  "missing-field": { in: ["body"] },
  "wrong-type": { in: ["body"] },
  "null-listing": { in: ["body"] },
  "odd-timestamp": { in: ["body"] },
  "missing-next": { in: ["body"] },
  "cursor-ignored": { in: ["body"] },
  "cursor-renamed": { in: ["body"] },
  "cursor-inclusive": { in: ["body"] },
  "cursor-constant": { in: ["body"] },
  "cursor-cycle": { in: ["body"] },
  "empty-page": { in: ["body"] },
  duplicate: { in: ["body"] },
  mutate: { in: ["store"], attributes: "insert=1,from=served" },
  "scope-missing": { in: ["status", "body"] },
  "key-revoked": { in: ["status", "headers", "body"] },
}

/** Six answers before they travel: three pages, the second once more, a contract, the owner of the key. */
const observe = async (faults: ReadonlyArray<string>) => {
  const clock = instantClock()
  const emulator = make({ contracts: 9, clock, faults })
  const before = emulator.store.contracts
  const ids = before.map(({ id }) => id)
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

describe("every fault of the registry", () => {
  it("is in the table of this test, and nothing else is", () => {
    expect(Object.keys(table)).toEqual(kinds.map(({ name }) => name))
  })

  it.each(kinds.map(({ name }) => name))("%s changes what the table says, and nothing else", async (name) => {
    const { attributes, in: places } = table[name]
    const quiet = await observe([])
    const disturbed = await observe([attributes === undefined ? name : `${name}:${attributes}`])
    const changed = Object.entries(disturbed.seen).flatMap(([place, value]) =>
      JSON.stringify(value) === JSON.stringify(quiet.seen[place as keyof typeof quiet.seen]) ? [] : [place],
    )
    expect(changed).toEqual(places)
    expect(disturbed.named).toContain(name)
    expect(quiet.named).toEqual([null, null, null, null, null, null])
  })
})
