import { describe, expect, it } from "vitest"
import * as Result from "effect/Result"
import { select } from "../../src/table/Table.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import { undocumentedOf, withPathsOf } from "../../src/write/UndocumentedMembers.ts"

interface Row {
  readonly paths: ReadonlyArray<string>
}

/** A table whose rows say themselves which members they have. */
const table = { undocumented: ({ paths }: Row) => paths }

const seen = (columns: ReadonlyArray<string>, ...paths: ReadonlyArray<string>) =>
  undocumentedOf(columns, withPathsOf(new Set(), table, [{ paths: paths.slice(0, 1) }, { paths }]))

describe("undocumented members", () => {
  it("are included where the table has a column for all of them", () => {
    expect(seen(["id", "extra"], "b", "a", "listing.price")).toEqual({
      included: ["a", "b", "listing.price"],
      excluded: [],
    })
  })

  it("are left out but for those that have a column of their own", () => {
    expect(seen(["id", "extra.a", "extra.b.part"], "a", "b", "c")).toEqual({
      included: ["a"],
      excluded: ["b", "c"],
    })
  })

  it("are none in a table that says nothing of them", () => {
    const paths = withPathsOf(new Set(), {}, [{}])
    expect(undocumentedOf([], paths)).toEqual({ included: [], excluded: [] })
  })

  it("are at most two hundred paths of a hundred characters, without secrets and half pairs", () => {
    const redact = (text: string) => text.replaceAll("sk_secret", "[API key]")
    const odd = [{ paths: ["x sk_secret", `${"y".repeat(99)}\u{1F3E0}`, "z\uD800"] }]
    const many = [{ paths: Array.from({ length: 5_000 }, (_, at) => `n${at}`) }]
    const paths = withPathsOf(withPathsOf(new Set(), table, odd), table, many)
    const { included } = undocumentedOf(["extra"], paths, redact)
    expect(included).toHaveLength(200)
    expect(included).toContain("x [API key]")
    expect(included).toContain(`${"y".repeat(99)}\uFFFD`)
    expect(included).toContain("z\uFFFD")
    expect(included.every((path) => path.length <= 100 && path.isWellFormed())).toBe(true)
  })

  it("of contracts are seen whatever columns are chosen", () => {
    const some = Result.getOrThrow(select(contracts, ["id"]))
    const paths = withPathsOf(new Set(), some, [{ note: 1 } as never])
    expect(undocumentedOf(["id"], paths)).toEqual({ included: [], excluded: ["note"] })
  })
})
