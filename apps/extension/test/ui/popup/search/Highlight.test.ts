// @vitest-environment happy-dom
import "../../desk/DeskBrowser.ts"
import { expect, it } from "vitest"
import { parse } from "../../../../src/index/Query.ts"
import { partsOf } from "../../../../src/ui/popup/search/Highlight.tsx"

const shown = (text: string, typed: string, field: Parameters<typeof partsOf>[2] = "unit"): string =>
  partsOf(text, parse(typed), field)
    .map(([part, isMarked]) => (isMarked ? `[${part}]` : part))
    .join("")

it.each([
  ["Ático luminoso", "atico", "[Ático] luminoso"],
  ["A\u0301tico", "atico", "[A\u0301tico]"],
  ["ΟΔΟΣ Ερμού", "οδος ερμου", "[ΟΔΟΣ] [Ερμού]"],
  ["İstanbul flat", "flat", "İstanbul [flat]"],
  ["aaa", "aa", "[aa]a"],
  ["abc", "ab bc", "[abc]"],
  ["דירה 4", "ירה", "ד[ירה] 4"],
  ["👩‍👩‍👧 flat 4", "4", "👩‍👩‍👧 flat [4]"],
  ["a.c abc", "a.c", "[a.c] abc"],
  ["Flat", "unit:fl", "[Fl]at"],
  ["A Flat", "unit:fl", "A Flat"],
  ["Flat", "city:fl", "Flat"],
  ["", "a", ""],
])("marks in %j what %j matched", (text, typed, marked) => {
  expect(shown(text, typed)).toBe(marked)
})

it("marks a number without its hash, and a listing anywhere", () => {
  expect(shown("1324", "#1324", "id")).toBe("[1324]")
  expect(shown("The Olive loft", "listing:olive", "listing")).toBe("The [Olive] loft")
})
