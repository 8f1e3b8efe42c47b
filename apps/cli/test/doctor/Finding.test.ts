import { describe, expect, it } from "vitest"
import * as Findings from "../../src/doctor/FindingWords.ts"
import { ansi, none } from "../../src/terminal/TerminalText.ts"

const finding = (
  about: string,
  answer: string,
  certainty: Findings.Certainty,
  more: Partial<Findings.Finding> = {},
): Findings.Finding => ({
  stage: "Lists",
  about,
  answer,
  certainty,
  evidence: null,
  setting: null,
  problem: false,
  ...more,
})
const limit = finding("largest page", "100: limit=500 gave 100 and more to come", "verified", {
  setting: "--page-size",
})
const cursor = finding("cursor parameter", "before_id has no effect", "unknown", {
  evidence: "the same records came again",
  setting: "--cursor-param",
  problem: true,
})

describe("findings as text", () => {
  it("are one line each where there is no window", () => {
    expect(Findings.lines([limit, cursor], none, null)).toEqual([
      "Lists",
      "  largest page          verified    100: limit=500 gave 100 and more to come  --page-size",
      "  cursor parameter      unknown     ! before_id has no effect (the same records came again)  --cursor-param",
    ])
  })

  it("are broken beside what they are about, the setting on a line of its own where it does not fit", () => {
    expect(Findings.lines([limit, cursor], none, 80)).toEqual([
      "Lists",
      "  largest page          verified    100: limit=500 gave 100 and more to come",
      "                                    --page-size",
      "  cursor parameter      unknown     ! before_id has no effect (the same records",
      "                                    came again)  --cursor-param",
    ])
  })

  it("stand below what they are about in a narrow window", () => {
    expect(Findings.lines([cursor], none, 40)).toEqual([
      "Lists",
      "  cursor parameter      unknown",
      "    ! before_id has no effect (the same",
      "    records came again)  --cursor-param",
    ])
  })

  it("are coloured by how they are known, and red where they stand in the way", () => {
    const [, first = "", second = ""] = Findings.lines([limit, cursor], ansi, null)
    expect(first).toContain("\u001B[32mverified\u001B[39m")
    expect(second).toContain("\u001B[31munknown\u001B[39m")
  })

  it("show what a server wrote, and do not act on it", () => {
    const [, line] = Findings.lines([finding("request id", "\u001B[2J", "verified")], none, null)
    expect(line).toContain("\u241B[2J")
  })

  it("are none for no findings", () => {
    expect(Findings.lines([], none, 80)).toEqual([])
  })
})
