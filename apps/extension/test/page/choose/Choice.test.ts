import { expect, it } from "vitest"
import * as Choice from "../../../src/page/choose/Choice.ts"

const link = "/homes/blue-door"

it("takes a chosen link with the links of its page", () => {
  expect(Choice.isChoice({ chosen: link, links: [link, "/about"] })).toBe(true)
})

it.each([
  null,
  link,
  { chosen: link },
  { chosen: "", links: [link] },
  { chosen: link, links: [7] },
  { chosen: link, links: [""] },
  { chosen: `/${"x".repeat(Choice.longestAddress)}`, links: [] },
  { chosen: link, links: Array.from({ length: Choice.mostLinks + 1 }, (_, at) => `/${at}`) },
])("takes nothing else from a page's renderer: %j", (value) => {
  expect(Choice.isChoice(value)).toBe(false)
})
