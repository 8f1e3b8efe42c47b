import { describe, expect, it } from "vitest"
import * as Generators from "../../src/rules/Generators.ts"
import { found, tried } from "../workspace.ts"

const path = "packages/export/src/run/X.ts"

describe("Generators", () => {
  it("no generator function is made anew for a page, a record or a request", () => {
    expect(found(Generators.check)).toEqual([])
  })

  it.each([
    "const take = (page) => Effect.gen(function* () { yield* add(page) })",
    "const take = ({ records, rejected }) => Effect.gen(function* () {})",
    "const take = (next: Page<A>) => () => Effect.gen(function* () {})",
    "const take = Effect.fnUntraced(function* (page) { yield* Effect.gen(function* () {}) })",
    "async function take([record = null], ...rest) { return each(function* () {}) }",
    "for (const row of table) run(function* () {})",
    "const accept = (asked: Asked, answer: Answer<RawPage<A>>) => Effect.gen(function* () {})",
    "class Run { take(records) { return Effect.gen(function* () {}) } }",
    "const answer = (request: TransportRequest) => Effect.gen(function* () {})",
  ])("finds: %s", (text) => {
    expect(tried(Generators.check, { [path]: `\n${text}` })).toEqual([expect.stringContaining(`${path}:2 `)])
  })

  it.each([
    "const take = Effect.fnUntraced(function* (page) { yield* add(page) })",
    "const make = (options) => Effect.gen(function* () { yield* each((page) => add(page)) })",
    "const make = (records: Records.Records<A>) => Effect.gen(function* () {})",
    "const text = '(page) => Effect.gen(function* () {})'",
    "const a = (page) => page\nconst b = Effect.gen(function* () {})",
  ])("accepts: %s", (text) => {
    expect(tried(Generators.check, { [path]: text })).toEqual([])
  })

  it("looks at sources only", () => {
    const text = "const take = (page) => Effect.gen(function* () {})"
    expect(tried(Generators.check, { "packages/export/test/run/X.test.ts": text })).toEqual([])
  })
})
