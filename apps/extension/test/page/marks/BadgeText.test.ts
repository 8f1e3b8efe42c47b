// @vitest-environment happy-dom
import { speak } from "../Browser.ts"
import * as fc from "fast-check"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Entries } from "../../../src/index/Entries.ts"
import * as Row from "../../../src/index/Row.ts"
import { apart, badgeLabel, writeBadge } from "../../../src/page/Host.ts"
import type { BadgeFact } from "../../../src/messages/ListingMessage.ts"
import { contract } from "../../index/Contracts.ts"

interface Traits {
  readonly kind: string
  readonly status: string
}

/** The fact of a listing with these contracts, from the entries that badges are drawn from. */
const factOf = (contracts: ReadonlyArray<Traits>) => {
  const entries = new Entries()
  entries.apply(contracts.map((traits, at) => Row.make(contract(at + 1, traits), 1, "2026-03-01T09:30:00Z")))
  return entries.find("listing-10")!
}

/** What is read on a badge. */
const brief = (fact: BadgeFact): string => {
  const mark = document.createElement("span")
  writeBadge(mark, fact)
  const { more, text } = mark.dataset
  return [text, more].filter(Boolean).join(" ")
}

const word = fc.oneof(
  fc.constantFrom("active", "draft", "ended", "on_hold", "rent", "sale", "", " ", "__proto__", "constructor"),
  fc.constantFrom("نشط", "\u202Eevitca", "under_negotiation_with_the_heirs", "W".repeat(200)),
  fc.string(),
)
const mixes = fc.array(fc.record({ kind: word, status: word }), { minLength: 1, maxLength: 30 })

/** Words as services have them, which hold none of the signs that stand between a label's parts. */
const plainWord = fc.oneof(
  fc.constantFrom("active", "draft", "ended", "rent", "sale"),
  fc.stringMatching(/^[a-z]{1,8}(_[a-z]{1,8})?$/),
)
const plainMixes = fc.array(fc.record({ kind: plainWord, status: plainWord }), {
  minLength: 1,
  maxLength: 40,
})

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

/** A label as someone reads it who knows nothing of how it was made. */
const read = (text: string) => {
  const [, count, list, , more] = /^(\d+) contracts?: (.*?)(\. And (\d+) more)?$/.exec(text)!
  const groups = [...list!.matchAll(/(\d+) ([^(]+) \(([^)]+)\)(?:, |$)/g)].map(
    ([, number, status, kind]) => ({
      number: Number(number),
      status: status!.replaceAll(" ", "_"),
      kind: kind!.replaceAll(" ", "_"),
    }),
  )
  return { count: Number(count), groups, more: Number(more ?? 0) }
}

describe("what a badge says", () => {
  it("is true of every contract that it counts, whatever the mix of kinds and statuses", () => {
    fc.assert(
      fc.property(mixes, (contracts) => {
        const fact = factOf(contracts)
        const { count, groups, leading, status } = fact
        const having = (isIt: (traits: Traits) => boolean): number => contracts.filter(isIt).length
        const looks = (one: string, other: string): boolean => apart(one) === apart(other)
        expect(count).toBe(contracts.length)
        expect(sum(groups.map((group) => group.count))).toBeLessThanOrEqual(count)
        expect(groups.length).toBeLessThanOrEqual(12)
        for (const group of groups) {
          const alike = groups.filter((one) => looks(one.status, group.status) && looks(one.kind, group.kind))
          const seen = having((one) => looks(one.status, group.status) && looks(one.kind, group.kind))
          expect(group.count).toBeGreaterThan(0)
          if (groups.length < 12) expect(sum(alike.map((one) => one.count))).toBe(seen)
          else expect(sum(alike.map((one) => one.count))).toBeLessThanOrEqual(seen)
        }
        expect(leading).toBeGreaterThan(0)
        expect(leading).toBeLessThanOrEqual(having((one) => looks(one.status, status)))
        const others = count - leading
        expect(brief(fact)).toBe(
          `${leading} ${apart(status.replaceAll("_", " ")) || "?"}${others > 0 ? ` +${others}` : ""}`,
        )
      }),
      { numRuns: 500 },
    )
  })

  it("is read back as the contracts that there are", () => {
    fc.assert(
      fc.property(plainMixes, (contracts) => {
        const fact = factOf(contracts)
        const { count, groups, more } = read(badgeLabel(fact))
        expect(count).toBe(contracts.length)
        expect(sum(groups.map(({ number }) => number)) + more).toBe(count)
        for (const { kind, number, status } of groups) {
          expect(contracts.filter((one) => one.status === status && one.kind === kind)).toHaveLength(number)
        }
        if (more === 0) {
          const named = groups.map(({ kind, status }) => `${status} ${kind}`)
          expect(new Set(named)).toEqual(new Set(contracts.map(({ kind, status }) => `${status} ${kind}`)))
          expect(named).toHaveLength(new Set(named).size)
        }
        const [, number, others = "0"] = /^(\d+) [^+]+?(?: \+(\d+))?$/.exec(brief(fact))!
        expect(Number(number) + Number(others)).toBe(count)
        expect(contracts.filter(({ status }) => status === fact.status)).toHaveLength(Number(number))
      }),
      { numRuns: 500 },
    )
  })

  it("begins with what is active, else with drafts, else with the status that most contracts have", () => {
    fc.assert(
      fc.property(plainMixes, (contracts) => {
        const { groups, status } = factOf(contracts)
        const counts = new Map<string, number>()
        for (const one of contracts) counts.set(one.status, (counts.get(one.status) ?? 0) + 1)
        if (counts.has("active")) expect(status).toBe("active")
        else if (counts.has("draft")) expect(status).toBe("draft")
        else expect(counts.get(status)).toBe(Math.max(...counts.values()))
        expect(groups[0]?.status).toBe(status)
        expect(factOf(contracts.toReversed())).toEqual(factOf(contracts))
      }),
    )
  })

  it.each([
    [
      [
        ["sale", "active"],
        ["sale", "draft"],
        ["rent", "ended"],
      ],
      "1 active +2",
      "3 contracts: 1 active (sale), 1 draft (sale), 1 ended (rent)",
    ],
    [[["rent", "active"]], "1 active", "1 contract: 1 active (rent)"],
    [
      [
        ["rent", "ended"],
        ["rent", "ended"],
        ["sale", "on_hold"],
      ],
      "2 ended +1",
      "3 contracts: 2 ended (rent), 1 on hold (sale)",
    ],
    [
      [
        ["rent", "ended"],
        ["sale", "draft"],
        ["rent", "ended"],
      ],
      "1 draft +2",
      "3 contracts: 1 draft (sale), 2 ended (rent)",
    ],
    [[["", ""]], "1 ?", "1 contract: 1 ? (?)"],
    [[["rent", "under_negotiation"]], "1 under negotiation", "1 contract: 1 under negotiation (rent)"],
    [
      [
        ["rent", "نشط"],
        ["rent", "ended"],
      ],
      "1 ended +1",
      "2 contracts: 1 ended (rent), 1 \u2068نشط\u2069 (rent)",
    ],
  ] as const)("of %j is %s", (pairs, short, whole) => {
    const fact = factOf(pairs.map(([kind, status]) => ({ kind, status })))
    expect(brief(fact)).toBe(short)
    expect(badgeLabel(fact)).toBe(whole)
  })

  it("says that there are more than it has room for", () => {
    const groups = [{ count: 1_204, status: "active", kind: "rent" }]
    expect(brief({ count: 3_204, status: "active", leading: 1_204, groups })).toBe("999+ active +999+")
    expect(brief({ count: 1_998, status: "active", leading: 999, groups })).toBe("999 active +999")
  })

  it("counts what it does not name where there are very many statuses", () => {
    const fact = factOf(Array.from({ length: 40 }, (_, at) => ({ kind: "rent", status: `status_${at}` })))
    expect(brief(fact)).toBe("1 status 0 +39")
    expect(badgeLabel(fact)).toMatch(/^40 contracts: (?:1 status \d+ \(rent\)(?:, )?){12}\. And 28 more$/)
  })
})

describe("in the languages of the extension", () => {
  afterEach(() => speak("en"))

  const one = [{ kind: "rent", status: "active" }]
  it.each([
    ["el", "1 συμβόλαιο: 1 active (rent)", "3 συμβόλαια: 3 active (rent)", "40 συμβόλαια", ". Και 28 ακόμη"],
    ["pt_PT", "1 contrato: 1 active (rent)", "3 contratos: 3 active (rent)", "40 contratos", ". E mais 28"],
    ["en", "1 contract: 1 active (rent)", "3 contracts: 3 active (rent)", "40 contracts", ". And 28 more"],
  ] as const)(
    "a badge says in %s how many contracts there are",
    async (locale, single, several, many, more) => {
      speak(locale)
      vi.resetModules()
      const words = await import("../../../src/page/Host.ts")
      expect(words.badgeLabel(factOf(one))).toBe(single)
      expect(words.badgeLabel(factOf([...one, ...one, ...one]))).toBe(several)
      const mixed = factOf(Array.from({ length: 40 }, (_, at) => ({ kind: "rent", status: `status_${at}` })))
      expect(words.badgeLabel(mixed).startsWith(`${many}: 1 status 0 (rent), `)).toBe(true)
      expect(words.badgeLabel(mixed).endsWith(more)).toBe(true)
    },
  )
})
