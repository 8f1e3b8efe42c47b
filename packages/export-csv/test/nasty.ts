/** Texts that have broken CSV before, and ordinary ones between them. */
import * as fc from "fast-check"

const pieces = [
  ",", ";", "\t", '"', '""', "'", "\r", "\n", "\r\n", " ", "\u00A0", "\u3000", "\uFEFF", "\u200B", "\0", "\u0001",
  "=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20", "\uFE66", "\uFE62", "\uD800", "\uDC00", "🏠", "é", "Χανιά", "القاهرة", "東京",
  "a", "B", "7", "2A", "=1+1", "-5.50", "(", "{", "|", "\\", "%", "null",
] // prettier-ignore

/** Half of them made of pieces that matter, half of any UTF-16 code units. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join("")),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
)
