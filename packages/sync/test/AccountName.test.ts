import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { problemOf } from "../src/Account.ts"
import { noteUnopened, sqliteStore } from "../src/index.ts"
import { emulated, failing, folder, query, sync } from "./harness/World.ts"

describe("the name of an account", () => {
  it.each([
    "acme",
    "Acme & Söhne (Köln) #2",
    "株式会社",
    "Θεσσαλονίκη",
    "שלום",
    "'; drop table account; --",
    "🏠",
    "__proto__",
  ])("can be %s", async (name) => {
    await using place = await folder()
    const account = { ...emulated("acme", { contracts: 2 }).account, name }
    await sync(place.mirror, account)
    expect(query(place.mirror, "select account from account")).toEqual([{ account: name }])
  })

  it.each([
    ["", "is empty"],
    ["a\0b", "holds a character that is not seen"],
    ["a\nb", "holds a character that is not seen"],
    ["a\u0085b", "holds a character that is not seen"],
    ["a\u2028b", "holds a character that is not seen"],
    ["\u001b[31mred", "holds a character that is not seen"],
    ["half \uD83C", "holds a character that is not seen"],
    ["\uDFE0 half", "holds a character that is not seen"],
    ["gpj.\u202Eacme", "holds a character that is not seen"],
    ["a\u2066b", "holds a character that is not seen"],
    ["ac\u200Bme", "holds a character that is not seen"],
    ["\uFEFFacme", "holds a character that is not seen"],
    ["tag\u{E0041}", "holds a character that is not seen"],
    ["\uE000", "holds a character that is not seen"],
    ["a/b", "reads as a path"],
    ["..\\b", "reads as a path"],
    [".", "reads as a path"],
    ["..", "reads as a path"],
    [" acme", "begins or ends with white space"],
    ["acme\u00A0", "begins or ends with white space"],
    ["x".repeat(129), "is longer than 128 characters"],
  ])("can not be %j", async (name, problem) => {
    expect(problemOf(name)).toBe(problem)
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 2 })
    const error = await failing(place.mirror, { ...account, name })
    expect(error).toMatchObject({ reason: { _tag: "AccountNameInvalid", account: name, problem } })
    expect(error.message).toMatch(/^The name "[ -~]*"…? of an account [a-z 0-9]+\.$/)
    expect(emulator.journal.entries).toEqual([])
  })

  it("is not noted when it is not valid", async () => {
    await using place = await folder()
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const store = yield* sqliteStore({ path: place.mirror })
          yield* noteUnopened(store, "a\0b", "no key", { isAdded: true })
          yield* noteUnopened(store, "acme", "no key", { isAdded: true })
          expect((yield* store.status).map(({ account }) => account)).toEqual(["acme"])
        }),
      ),
    )
  })
})
