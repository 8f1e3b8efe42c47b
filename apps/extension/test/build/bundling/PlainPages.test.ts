import { expect, it } from "vitest"
import { plainPage } from "../../../bundling/PlainPages.ts"

it("is without line breaks, and keeps the white space in its texts", () => {
  const page =
    '<!doctype html>\n<html lang="en">\n  <head>\n    <title>Two words</title>\n  </head>\n</html>\n'
  expect(plainPage(page)).toBe('<!doctype html><html lang="en"><head><title>Two words</title></head></html>')
})
