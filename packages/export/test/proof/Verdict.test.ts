import type { Completeness, ReadSummary } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { evidenceOf, isComplete, judge } from "../../src/proof/Verdict.ts"
import { readSummary } from "../fixtures/summaries.ts"

const singlePage: ReadSummary["cursor"] = { parameter: "before_id", state: "single-page", evidence: null }
const unverified: ReadSummary["cursor"] = { parameter: "before_id", state: "unverified", evidence: null }
const keysReading = { collection: "api-keys" } as const

const shown = (given: Partial<Completeness>): Completeness => ({
  state: "proven",
  reason: "linked-pages",
  readings: 1,
  differences: 0,
  ...given,
})
const unproven = (reason: Completeness["reason"], readings = 1): Partial<ReadSummary> => ({
  completeness: shown({ state: "unverified", reason, readings }),
})
const onePage = { pages: 1, cursor: singlePage, completeness: shown({ reason: "one-page" }) }
const verdictOf = (readings: ReadonlyArray<ReadSummary>, rejected = 0) =>
  judge({ readings, rejected, failure: null })

const resumed = (changed: number): Partial<ReadSummary> => ({
  resumed: {
    pausedAt: "2026-03-01T09:30:00.000Z",
    resumedAt: "2026-03-01T14:30:00.000Z",
    records: 100,
    changed,
    mayRepeat: false,
  },
})

describe("the verdict is complete", () => {
  it.each([
    ["of a list that was proven complete", [readSummary()]],
    ["of a list that came in one answer", [readSummary(onePage)]],
    ["of several lists", [readSummary(), readSummary({ ...keysReading, ...onePage })]],
    [
      "of a list that was confirmed by a second reading",
      [readSummary({ completeness: shown({ state: "confirmed", reason: "second-reading", readings: 2 }) })],
    ],
    ["of a resumed read during whose pause nothing was seen to change", [readSummary(resumed(0))]],
    ["of no list", []],
  ])("%s", (_, readings) => {
    expect(verdictOf(readings)).toMatchObject({ verdict: "complete", reasons: [] })
    expect(readings.every(isComplete)).toBe(true)
  })
})

describe("the evidence", () => {
  it("says that the service ended a list otherwise than specified", () => {
    const odd = { anomalies: { "end-sentinel": 1 } }
    const sentence = "The list did not end with null."
    for (const reading of [readSummary(odd), readSummary({ ...onePage, ...odd })]) {
      expect(evidenceOf(reading).at(-1)).toBe(sentence)
    }
    expect(evidenceOf(readSummary(onePage)).join()).not.toContain("null")
  })
})

describe("the verdict is unverified, and says why,", () => {
  it.each([
    [
      "where pages were read once",
      readSummary(unproven("single-reading")),
      "Pages of contracts do not overlap, and nothing was read twice: removed records may have hidden others.",
    ],
    [
      "where the list did not rest",
      readSummary(unproven("moving", 4)),
      "After 4 readings, contracts were still found in one reading and missing from another. Export again when fewer of them are being changed.",
    ],
    [
      "where the pages contradict the cursor",
      readSummary(unproven("contradiction", 4)),
      "The service's pages contradict each other: it seems to filter contracts by the id that the cursor names, and to sort them by something else, which can hide some.",
    ],
    [
      "where the request for the proof failed",
      readSummary(unproven("reading-failed")),
      "The list was read to its end, but a request that would have shown that no contract is missing failed.",
    ],
    [
      "where an earlier part cannot be compared",
      readSummary({ ...unproven("resumed"), ...resumed(0) }),
      "The list is not in the order of ids, and the contracts read before the pause were not read again.",
    ],
    [
      "where the cursor was never seen to work",
      readSummary({ ...keysReading, ...unproven("cursor-unverified"), cursor: unverified }),
      "It could not be verified that the cursor ?before_id= reaches all API keys.",
    ],
    [
      "where it is known why the cursor was not seen to work",
      readSummary({
        ...unproven("cursor-unverified"),
        cursor: { ...unverified, evidence: "the second page was empty and the last" },
      }),
      "It could not be verified that the cursor ?before_id= reaches all contracts: the second page was empty and the last.",
    ],
    [
      "where records changed during a pause, though the pages are linked",
      readSummary(resumed(3)),
      "Read before a pause of 5 h and not read again: 100 contracts. Seen later and changed during it: 3.",
    ],
  ])("%s", (_, reading, reason) => {
    expect(verdictOf([readSummary(), reading])).toMatchObject({ verdict: "unverified", reasons: [reason] })
    expect(isComplete(reading)).toBe(false)
  })

  it.each([
    [1, "The list of contracts broke off after 1 page."],
    [3, "The list of contracts broke off after 3 pages."],
  ])("where the list broke off after page %i", (pages, reason) => {
    const reading = readSummary({ pages, complete: false })
    expect(verdictOf([reading])).toMatchObject({ verdict: "unverified", reasons: [reason], evidence: [] })
  })

  it("rather than partial when it is both, with both reasons", () => {
    const { reasons, verdict } = verdictOf([readSummary(unproven("single-reading"))], 1)
    expect(verdict).toBe("unverified")
    expect(reasons).toHaveLength(2)
  })
})

describe("the verdict is partial", () => {
  it.each([
    [1, "1 record not as specified: rejected, and saved in a separate file."],
    [2, "2 records not as specified: rejected, and saved in a separate file."],
  ])("when %i were rejected", (rejected, reason) => {
    expect(verdictOf([readSummary()], rejected)).toMatchObject({ verdict: "partial", reasons: [reason] })
  })

  it.each([
    [1, "1 record without the data that was requested."],
    [12, "12 records without the data that was requested."],
  ])("when %i lack their data", (withoutData, reason) => {
    const verdict = judge({ readings: [readSummary()], rejected: 0, withoutData, failure: null })
    expect(verdict).toMatchObject({ verdict: "partial", reasons: [reason] })
  })
})

describe("a caller's own reasons", () => {
  const given = (
    unverified: ReadonlyArray<string>,
    partial: ReadonlyArray<string>,
    reading = readSummary(),
  ) => judge({ readings: [reading], rejected: 0, failure: null, reasons: { unverified, partial } })

  it("lower the verdict, and stand behind those of the lists", () => {
    expect(given([], [])).toMatchObject({ verdict: "complete", reasons: [] })
    expect(given([], ["Some are old."])).toMatchObject({ verdict: "partial", reasons: ["Some are old."] })
    expect(given(["It changed."], ["Some are old."])).toMatchObject({
      verdict: "unverified",
      reasons: ["It changed.", "Some are old."],
    })
    const broken = given(["It changed."], [], readSummary({ complete: false }))
    expect(broken.reasons).toEqual(["The list of contracts broke off after 3 pages.", "It changed."])
  })

  it("never raise it", () => {
    expect(given([], ["Some are old."], readSummary(unproven("moving"))).verdict).toBe("unverified")
  })
})

it("the verdict is interrupted when the run failed, whatever else there is, and says so first", () => {
  const failure = "No room."
  expect(judge({ readings: [readSummary()], rejected: 0, failure })).toMatchObject({
    verdict: "interrupted",
    reasons: [failure],
  })
  const readings = [readSummary(), readSummary({ ...keysReading, complete: false })]
  expect(judge({ readings, rejected: 3, failure })).toMatchObject({
    verdict: "interrupted",
    reasons: [failure, "The list of API keys broke off after 3 pages."],
  })
})

describe("what shows that a list is complete", () => {
  const window = "between 2026-03-01T09:30:00.000Z and 2026-03-01T09:30:02.000Z"
  it.each([
    ["one answer", readSummary(onePage), [`The list of contracts was read ${window}, in one answer.`]],
    [
      "the order of ids",
      readSummary(),
      [
        `The list of contracts was read ${window}. The list is in the order of ids and every page begins where the one before ended, so no contract that existed all that time is missing.`,
      ],
    ],
    [
      "a second reading",
      readSummary({
        supersededDuplicates: 0,
        completeness: shown({ state: "confirmed", reason: "second-reading", readings: 2 }),
      }),
      [`The list of contracts was read twice ${window}; nothing differed.`],
    ],
    [
      "a second reading that had a record in a newer version",
      readSummary({
        supersededDuplicates: 1,
        completeness: shown({ state: "confirmed", reason: "second-reading", readings: 2 }),
      }),
      [
        `The list of contracts was read twice ${window}; nothing differed but 1 contract created, changed or removed meanwhile.`,
      ],
    ],
    [
      "three readings of a list that moved",
      readSummary({
        supersededDuplicates: 0,
        completeness: shown({ state: "confirmed", reason: "second-reading", readings: 3, differences: 7 }),
      }),
      [
        `The list of contracts was read 3 times ${window}; nothing differed but 7 contracts created, changed or removed meanwhile.`,
      ],
    ],
    [
      "the order of ids, over a pause",
      readSummary(resumed(0)),
      [
        `The list of contracts was read ${window}. The list is in the order of ids and every page begins where the one before ended, so no contract that existed all that time is missing.`,
        "Read before a pause of 5 h and not read again: 100 contracts.",
      ],
    ],
    ["nothing, where it broke off", readSummary({ complete: false }), []],
    ["nothing, where it was read once", readSummary(unproven("single-reading")), []],
  ])("is %s", (_, reading, evidence) => {
    expect(evidenceOf(reading)).toEqual(evidence)
  })
})

describe("in another language", () => {
  const reasons = ["moving", "contradiction", "reading-failed", "resumed", "single-reading"] as const
  const confirmed = (differences: number, readings: number): Partial<ReadSummary> => ({
    completeness: shown({ state: "confirmed", reason: "second-reading", readings, differences }),
  })
  const lists = ["contracts", "api-keys"] as const
  const readings = lists.flatMap((collection) =>
    [
      onePage,
      {},
      confirmed(0, 2),
      confirmed(7, 3),
      { anomalies: { "end-sentinel": 1 } },
      resumed(0),
      { ...resumed(3), ...unproven("moving", 4) },
      { complete: false },
      ...reasons.map((reason) => unproven(reason, 2)),
      { ...unproven("cursor-unverified"), cursor: unverified },
    ].map((given) => readSummary({ collection, ...given })),
  )
  const sentences = (language: "en" | "el" | "pt") => {
    const { evidence, reasons } = judge({ readings, rejected: 2, withoutData: 1, failure: null, language })
    return [...reasons, ...evidence, ...readings.flatMap((reading) => evidenceOf(reading, language, false))]
  }
  /** Without what is the same in every language. */
  const words = (text: string) => text.replaceAll(/\d{4}-\S+Z|\?before_id=|\bAPI\b|\bnull\b/g, "")

  it("every sentence is in Greek, with its values", () => {
    const greek = sentences("el")
    expect(greek).toHaveLength(sentences("en").length)
    expect(greek.filter((text) => /[a-z{}]/i.test(words(text)))).toEqual([])
  })

  it("every sentence is in Portuguese, with its values", () => {
    const english = new Set(sentences("en"))
    const portuguese = sentences("pt")
    expect(
      portuguese.filter(
        (text) => english.has(text) || /[{}]|\b(?:the|of|was|were|again)\b/i.test(words(text)),
      ),
    ).toEqual([])
  })
})
