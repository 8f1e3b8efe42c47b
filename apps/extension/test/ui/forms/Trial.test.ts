// @vitest-environment happy-dom
import "../desk/DeskBrowser.ts"
import { describe, expect, it } from "vitest"
import { verdictOf } from "../../../src/ui/forms/Trial.tsx"
import { stageNames } from "../../../src/ui/state/TestWords.ts"
import type { TestStage } from "../../../src/ui/state/TestWords.ts"

const stages = (outcomes: { readonly [Stage in TestStage["stage"]]?: TestStage["outcome"] } = {}) =>
  stageNames.map((stage): TestStage => ({ stage, outcome: outcomes[stage] ?? "ok", message: "" }))

describe("what the stages of a test come to", () => {
  it.each([
    ["ok", stages()],
    ["ok", stages({ tls: "skipped" })],
    ["warning", stages({ clock: "warning" })],
    ["failed", stages({ contracts: "failed", cursor: "skipped" })],
    ["failed", stages({ key: "failed" }).slice(0, 3)],
    ["cut", stages().slice(0, 4)],
    ["cut", []],
  ])("is %s", (verdict, ended) => {
    expect(verdictOf(ended)).toBe(verdict)
  })
})
