import { TextCleaner } from "@deedkit/export"
import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import Papa from "papaparse"
import * as Quotes from "../src/Quotes.ts"
import { nastyText } from "./nasty.ts"

it("gives nothing for no text", () => {
  expect(Quotes.quote([], ",")).toEqual([])
})

it("quotes what a delimiter, a quote, a line break or a space at an end would break", () => {
  expect(Quotes.quote(["2A, back", 'the "old" port', "a\r\nb", " Chania", "Chania", ""], ",")).toEqual([
    '"2A, back"',
    '"the ""old"" port"',
    '"a\r\nb"',
    '" Chania"',
    "Chania",
    "",
  ])
})

it.each([",", ";", "\t"])(
  "quotes many texts as papaparse quotes each of them, separated by %j",
  (delimiter) => {
    fc.assert(
      fc.property(fc.array(nastyText.map(TextCleaner.clean), { maxLength: 20 }), (texts) => {
        expect(Quotes.quote(texts, delimiter)).toEqual(
          texts.map((text) => Papa.unparse([[text]], { delimiter })),
        )
      }),
    )
  },
)
