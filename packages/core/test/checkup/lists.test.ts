import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as Checkup from "../../src/checkup/index.ts"
import { checked, reasonOf } from "../fixtures/Checked.ts"
import { world } from "../fixtures/Setup.ts"

const sizes = async (emulator: Parameters<typeof checked>[0] = {}) =>
  (await checked(emulator)).all("PageSize").map(({ isLast, limit, size }) => ({ limit, size, isLast }))

describe("page sizes", () => {
  it("are those of a page without a limit, with the smallest and with a large one", async () => {
    expect(await sizes()).toEqual([
      { limit: null, size: 50, isLast: false },
      { limit: 1, size: 1, isLast: false },
      { limit: 500, size: 100, isLast: false },
    ])
  })

  it("show a limit that is ignored, and one that is refused", async () => {
    const ignored = { limitSupported: false } as const
    expect((await sizes({ emulator: { assumptions: ignored } })).map(({ size }) => size)).toEqual([
      50, 50, 50,
    ])
    const refused = { limitSupported: false, unknownParameter: "reject" } as const
    expect((await sizes({ emulator: { assumptions: refused } })).map(({ size }) => size)).toEqual([
      50,
      null,
      null,
    ])
  })

  it("are 0 in an empty account, of which no large page is asked for", async () => {
    const empty = await checked({ emulator: { contracts: 0 } })
    expect(empty.all("PageSize").map(({ isLast, size }) => [size, isLast])).toEqual([
      [0, true],
      [0, true],
    ])
    expect(empty.one("CursorParameter")).toMatchObject({ found: { _tag: "CannotTell" }, error: null })
    expect(empty.one("CursorType")).toMatchObject({ type: null })
    expect(empty.one("Order")).toMatchObject({ order: "unknown" })
    expect(empty.one("End")).toMatchObject({ read: { collection: "contracts", records: 0 } })
    expect(empty.one("Conformity")).toMatchObject({ records: 0, rejected: 0 })
    expect(empty.one("ById")).toBeUndefined()
  })

  it("say why a page did not come", async () => {
    const { all } = await checked({ emulator: { faults: ["server-error:requests=6"] } })
    expect(all("PageSize").map((finding) => [finding.limit, finding.size, reasonOf(finding)])).toEqual([
      [null, 50, null],
      [1, 1, null],
      [500, null, "ServerFault"],
    ])
  })

  it("are those of API keys where the key cannot read contracts", async () => {
    const { all } = await checked({ secret: "keysOnly" })
    expect(all("PageSize")).toMatchObject([
      { collection: "api-keys", limit: null, size: 12, isLast: true },
      { collection: "api-keys", limit: 1, size: 1, isLast: false },
    ])
  })

  it("are not looked for where neither list can be read", async () => {
    const { one, requests } = await checked({ secret: "noScopes" })
    expect([one("PageSize"), one("End"), one("Conformity"), requests]).toEqual([
      undefined,
      undefined,
      undefined,
      3,
    ])
  })
})

describe("the cursor", () => {
  it.each([
    ["integer", "integer"],
    ["bigint", "long-integer"],
    ["digits", "digits"],
    ["string", "text"],
  ] as const)(
    "of kind %s has the type %s, and its parameter is verified by a second page",
    async (cursorKind, type) => {
      const { one } = await checked({ emulator: { assumptions: { cursorKind } } })
      expect(one("CursorType")).toMatchObject({ type })
      expect(one("CursorParameter")).toMatchObject({
        found: { _tag: "Verified", parameter: "before_id" },
        error: null,
      })
    },
  )

  it("has another parameter where the client has found one", async () => {
    const { one } = await checked({ emulator: { assumptions: { cursorParameter: "after" } } })
    expect(one("CursorParameter")).toMatchObject({
      assumed: "before_id",
      found: { _tag: "Verified", parameter: "after" },
      error: null,
    })
  })

  it("is searched for where the client does not, and the error stays", async () => {
    const { one } = await checked({
      client: { cursorParam: "wrong" },
      stages: (observer) => [Checkup.connection, Checkup.lists({ observer, searches: false })],
    })
    const parameter = one("CursorParameter")
    expect(parameter).toMatchObject({ assumed: "wrong", found: { parameter: "before_id" } })
    expect(reasonOf(parameter)).toBe("CursorIgnored")
  })

  it("that is ignored has no parameter, and the list no end", async () => {
    const { one } = await checked({ secret: "contractsOnly", emulator: { faults: ["cursor-ignored"] } })
    expect(one("CursorParameter")).toMatchObject({ found: null, isCutShort: false })
    expect(reasonOf(one("CursorParameter"))).toBe("CursorIgnored")
    expect(one("End")).toMatchObject({ read: null, error: null })
  })

  it("is judged by two pages of three records, of one where there are few, or without a limit that is ignored", async () => {
    const limits = async (emulator: NonNullable<Parameters<typeof checked>[0]>["emulator"]) => {
      const { emulator: asked } = await checked({ emulator: emulator ?? {}, secret: "contractsOnly" })
      const lists = asked.journal.entries.filter(({ query }) => !("id" in query))
      return lists.slice(-2).map(({ query }) => query["limit"] ?? null)
    }
    expect(await limits({})).toEqual(["3", "3"])
    expect(await limits({ contracts: 4 })).toEqual(["1", "1"])
    expect(await limits({ assumptions: { limitSupported: false } })).toEqual([null, null])
  })

  it("that is ignored is not tried again at the end of a long list of API keys", async () => {
    const { emulator, one } = await checked({ emulator: { faults: ["cursor-ignored"], keys: 400 } })
    const keys = emulator.journal.entries.filter(({ path }) => path === "/v1/api-keys/")
    expect(keys).toHaveLength(2)
    expect(one("End")).toMatchObject({ read: null, error: null })
  })

  it("that is ignored in the list of API keys alone leaves the end unknown, and is no failure of it", async () => {
    const { one } = await checked({
      emulator: { faults: ["cursor-ignored:path=/v1/api-keys/"], keys: 400 },
    })
    expect(one("CursorParameter")).toMatchObject({ found: { _tag: "Verified" }, error: null })
    expect(one("End")).toMatchObject({ read: null, error: null })
  })

  it("is not looked for with every name where no request is left", async () => {
    const assumptions = { cursorParameter: "page_token", unknownParameter: "reject" } as const
    const { one, requests } = await checked({ emulator: { assumptions }, most: 12 })
    expect(requests).toBe(12)
    expect(one("CursorParameter")).toMatchObject({ found: null, isCutShort: true })
    for (const tag of ["End", "ById", "UnknownId"] as const) {
      expect(Checkup.ObservedAnswers.isUsedUp(one(tag)!.error!)).toBe(true)
    }
  })
})

describe("order and end", () => {
  it.each(["descending", "ascending"] as const)("show ids that are %s", async (ordering) => {
    const { one } = await checked({ emulator: { assumptions: { ordering } } })
    expect(one("Order")).toMatchObject({ order: ordering })
  })

  it("show ids without an order", async () => {
    const { one } = await checked({ emulator: { assumptions: { ordering: "random" } } })
    expect(one("Order")).toMatchObject({ order: "mixed" })
  })

  it("show pages of different orders", async () => {
    const assumptions = { ordering: "ascending", ascendingPages: "newest-first" } as const
    const { one } = await checked({ emulator: { assumptions } })
    expect(one("Order")).toMatchObject({ order: "mixed" })
  })

  it("are of the list of API keys where contracts have many pages", async () => {
    const { one } = await checked()
    expect(one("End")).toMatchObject({
      read: { collection: "api-keys", records: 12, pages: 1 },
      oddity: null,
    })
  })

  it("show an end other than null", async () => {
    const { one } = await checked({ emulator: { assumptions: { endSentinel: 0 } } })
    expect(one("End")?.oddity).toBe("next_before_id was 0 where null is documented")
  })

  it("show a list that leaves its end out", async () => {
    const { one } = await checked({ emulator: { assumptions: { endSentinel: "missing" } } })
    expect(one("End")).toMatchObject({ read: null, error: { reason: { _tag: "EnvelopeInvalid" } } })
  })
})

it("leaves no listener with the client", async () => {
  const { client, run } = await world()
  let listening = 0
  const counted: typeof client = {
    ...client,
    listen: (listener) => {
      listening += 1
      const stop = client.listen(listener)
      return () => {
        listening -= 1
        stop()
      }
    },
  }
  const session = Checkup.begin(counted)
  const observer = Checkup.ObservedAnswers.make(25)
  const stages = [Checkup.connection, Checkup.lists({ observer, searches: true })]
  await run(Checkup.run(session, stages, () => Effect.void))
  expect([session.pages.length > 0, listening]).toEqual([true, 0])
})
