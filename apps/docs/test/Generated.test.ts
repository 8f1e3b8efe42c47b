import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { changes, entries } from "../src/Generated.ts"

it("has each change below the packages that it concerns, and nothing of other files", () => {
  const texts = [
    '---\n"deedkit": major\n"@deedkit/core": minor\n---\n\nFaster.\n\n- much\n',
    "# Changesets\n\nHow to.\n",
  ]
  expect(changes(texts)).toBe("## deedkit, @deedkit/core\n\nFaster.\n\n- much")
})

describe("an entry of a catalogue", () => {
  it("has every text that its headline and its advice can be", () => {
    const text = `
      const support = "contact support"
      const all = {
        Late: entry("late", ({ at }) => ({ headline: at === null ? "late" : \`late by \${at}\`, advice: \`Wait, or \${support}.\` })),
        Split: ({ by }) => by === 1 ? { headline: "one", advice: "First." } : { headline: "two", advice: "Second." },
        lower: () => ({ headline: "of no reason", advice: "" }),
      }`
    expect(entries(text)).toEqual([
      { reason: "Late", headline: ["late", "late by …"], advice: ["Wait, or contact support."] },
      { reason: "Split", headline: ["one", "two", "of no reason"], advice: ["First.", "Second.", ""] },
    ])
  })

  it("is there for each reason, with what happened and what to do", () => {
    const text = readFileSync(join(import.meta.dirname, "../../cli/src/failure/Catalogue.ts"), "utf8")
    const reasons = [...text.matchAll(/^ {2}(?<reason>[A-Z]\w+):/gm)].map(({ groups }) => groups?.["reason"])
    const found = entries(text)
    expect(reasons).toContain("Unauthenticated")
    expect(found.map(({ reason }) => reason)).toEqual([...new Set(reasons)])
    for (const { advice, headline, reason } of found)
      expect([reason, advice.join(""), headline.join("")]).not.toContain("")
  })
})
