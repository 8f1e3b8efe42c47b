import { describe, expect, it } from "vitest"
import * as Recipe from "../../../../src/ui/options/sites/Recipe.ts"

const site = { origin: "https://homes.example", patterns: ["/homes/:slug-*", "!/blog/**", "!*"] }
const file = { format: "deedkit-recipe", version: 1, site: site.origin, patterns: site.patterns }

describe("a recipe", () => {
  it("is read as it was written", () => {
    expect(Recipe.read(Recipe.write(site))).toEqual(file)
  })

  it("is no larger than what is read, with as many and as long patterns as a site has", () => {
    const patterns = Array.from({ length: Recipe.mostPatterns }, (_, at) => `/${at}${"ά".repeat(480)}/:slug`)
    const written = Recipe.write({ ...site, patterns })
    expect(new Blob([written]).size).toBeLessThan(Recipe.mostBytes)
    expect(Recipe.read(written)?.patterns).toEqual(patterns)
  })

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["another format", JSON.stringify({ ...file, format: "deedkit-settings" })],
    ["another version", JSON.stringify({ ...file, version: 2 })],
    ["a member that is not named", JSON.stringify({ ...file, key: "secret" })],
    ["a pattern that cannot be read", JSON.stringify({ ...file, patterns: ["/homes"] })],
    ["a pattern with what turns it round", JSON.stringify({ ...file, patterns: ["/\u202e:slug"] })],
    ["too many patterns", JSON.stringify({ ...file, patterns: Array(51).fill("/:slug") })],
    ["a prototype", `{"__proto__": ${JSON.stringify(file)}}`],
  ])("is not read from %s", (_, text) => {
    expect(Recipe.read(text)).toBeNull()
  })
})
