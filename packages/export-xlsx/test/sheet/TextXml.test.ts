import { FormulaGuard, TextBytes } from "@deedkit/export"
import { expect, it } from "vitest"
import * as TextXml from "../../src/sheet/TextXml.ts"

it("lets no text straight into bytes that is not its own XML, or that a spreadsheet would evaluate", () => {
  const bytes = new TextBytes.TextBytes()
  const wrong: Array<string> = []
  let straight = 0
  for (let unit = 0; unit < 65_536; unit++) {
    const character = String.fromCharCode(unit)
    for (const text of [
      character,
      `${character}a`,
      `a${character}`,
      `a${character}a`,
      `a${character}x0041_`,
    ]) {
      if (!bytes.writePlain(text, TextXml.kinds)) continue
      straight += 1
      const isSame = TextXml.inline(text, () => wrong.push(text)) === `<is><t>${text}</t></is>`
      if (!isSame || FormulaGuard.evaluates(text)) wrong.push(text)
      bytes.cut(0)
    }
  }
  expect(wrong).toEqual([])
  expect(straight).toBeGreaterThan(150_000)
})
