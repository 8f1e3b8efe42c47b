import { describe, expect, it } from "vitest"
import { argumentProblem } from "../../src/mcp/Serve.ts"

const tools: Readonly<Record<string, ReadonlyArray<string>>> = {
  contracts_list: ["limit", "cursor"],
  contracts_search: ["where", "text", "limit", "max_pages", "cursor"],
  contracts_get: ["ids", "include_data"],
  keys_audit: ["unused_days", "max_scopes", "max_age_days"],
  summary: ["max_pages"],
}

/** Every word that one slip of the finger makes of a word. */
const slips = (word: string): ReadonlyArray<string> =>
  Array.from({ length: word.length }, (_, at) => [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}${word[at]}${word.slice(at)}`,
    ...Array.from("aeiostx_", (letter) => word.slice(0, at) + letter + word.slice(at + 1)),
    ...Array.from("aeiostx_", (letter) => word.slice(0, at) + letter + word.slice(at)),
    word.slice(0, at) + (word[at + 1] ?? "") + word[at] + word.slice(at + 2),
    word.slice(0, at) + word[at]!.toUpperCase() + word.slice(at + 1),
  ])
    .flat()
    .filter((slip) => slip !== word && slip !== "")

describe("an argument that a tool does not take", () => {
  it("is refused whatever the slip was, with the argument that was meant and all that there are", () => {
    let slipped = 0
    for (const [tool, taken] of Object.entries(tools)) {
      for (const name of taken) {
        for (const slip of slips(name)) {
          if (taken.includes(slip)) continue
          slipped += 1
          expect([slip, argumentProblem(tool, taken, [slip])]).toEqual([
            slip,
            `Unknown argument ${JSON.stringify(slip)}. Did you mean "${name}"? ${tool} takes: ${taken.join(", ")}. Nothing was read.`,
          ])
        }
      }
    }
    expect(slipped).toBeGreaterThan(1_000)
  })

  it.each([
    ["contracts_search", "query", "text"],
    ["contracts_search", "status", "where"],
    ["contracts_search", "page_size", "limit"],
    ["contracts_list", "offset", "cursor"],
    ["contracts_get", "id", "ids"],
    ["contracts_get", "contract_id", "ids"],
  ])("of %s, %s, is known by the name that it has elsewhere", (tool, given, meant) => {
    expect(argumentProblem(tool, tools[tool] ?? [], [given])).toContain(`Did you mean "${meant}"?`)
  })

  it("like nothing that there is, is refused without a guess", () => {
    expect(argumentProblem("summary", ["max_pages"], ["zebra", "max_pages", "\u202Eevil\u0007"])).toBe(
      'Unknown argument "zebra". Unknown argument "\uFFFDevil\uFFFD". summary takes: max_pages. Nothing was read.',
    )
  })

  it("is repeated only in part, and only the first few", () => {
    const given = Array.from({ length: 1_000 }, (_, at) => `${at}-${"y".repeat(10_000)}`)
    expect(argumentProblem("summary", ["max_pages"], given)?.length).toBeLessThan(700)
  })

  it("is told from one that it takes", () => {
    for (const [tool, taken] of Object.entries(tools)) expect(argumentProblem(tool, taken, taken)).toBeNull()
    expect(argumentProblem("summary", ["max_pages"], [])).toBeNull()
    expect(argumentProblem("summary", ["max_pages"], ["__proto__", "constructor"])).not.toBeNull()
  })
})
