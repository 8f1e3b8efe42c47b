import { describe, expect, it } from "vitest"
import { Fixtures } from "@deedkit/core/testing"
import { summary } from "../src/run/Summary.ts"
import { apiKeysAt } from "../src/tables/ApiKeys.ts"
import { contracts, worded } from "../src/tables/Contracts.ts"
import { withListingLink } from "../src/tables/ListingLink.ts"
import { months } from "../src/tables/Months.ts"
import { StatusCounts } from "../src/tables/StatusCounts.ts"
import { units } from "../src/tables/Units.ts"
import { count, day, inLanguage, ofLocale, say } from "../src/Texts.ts"

const linked = withListingLink(contracts, "https://site.example/{slug}")!

describe.each(["el", "pt"] as const)("texts in %s", (language) => {
  it.each([linked, apiKeysAt(0), units, months])("name all columns of the table $name anew", (table) => {
    const translated = inLanguage<never>(table, language)
    const labels = [...translated.columns, ...translated.onDemand].map(({ label }) => label)
    const before = [...table.columns, ...table.onDemand].map(({ label }) => label)
    expect(labels.filter((label) => before.includes(label))).toEqual([])
    expect(new Set(labels.map((label) => label.toLowerCase())).size).toBe(labels.length)
    expect(translated.title).not.toBe(table.title)
    for (const [at, label] of labels.entries())
      expect(label.endsWith("(UTC)")).toBe(before[at]!.endsWith("(UTC)"))
  })

  it("leave names and values of the service as they came", () => {
    for (const value of ["on_hold", "Active", "ACTIVE", "city", "", "constructor", "{0}"])
      expect(worded(value, language)).toBe(value)
    const column = { ...summary.columns[0]!, label: "rent.amount (EUR)" }
    expect(inLanguage({ ...summary, columns: [column] }, language).columns[0]!.label).toBe(
      "rent.amount (EUR)",
    )
  })

  it("count cities and statuses without taking one for a text", () => {
    const counts = new StatusCounts(language)
    counts.add([
      Fixtures.contract({ status: "active", listing: null }),
      Fixtures.contract({ status: "City" }),
    ])
    expect(counts.byCity()!.rows.map(({ name }) => name)).toContain(say(language, "(none)"))
    expect(counts.statuses().map(({ label }) => label)).toEqual(["active", "City"])
  })
})

describe("a text", () => {
  it("has its values in their places, whatever they look like", () => {
    expect(say("en", "{0} of {1}", "$& {1}", "{0}")).toBe("$& {1} of {0}")
    expect(say("el", "{0} of {1}", "{1}", "x")).toBe("{1}: x")
  })

  it("counts as its language does", () => {
    expect([1, 0, 12_345].map((number) => count("en", number, "{0} row", "{0} rows"))).toEqual([
      "1 row",
      "0 rows",
      "12,345 rows",
    ])
    expect(count("el", 12_345, "{0} row", "{0} rows")).toBe("12.345 γραμμές")
  })

  it("shows days as its language does", () => {
    expect(["en", "el", "pt"].map((language) => day(language as "en", "2026-03-01"))).toEqual([
      "1 March 2026",
      "1 Μαρτίου 2026",
      "1 de março de 2026",
    ])
    expect(day("el", "soon")).toBe("soon")
  })

  it.each([
    ["el_GR.UTF-8", "el"],
    ["pt-BR", "pt"],
    ["PT", "pt"],
    ["elx", "en"],
    ["C", "en"],
    ["", "en"],
    ["de_DE", "en"],
  ])("for the locale %j is in %s", (locale, language) => {
    expect(ofLocale(locale)).toBe(language)
  })
})
