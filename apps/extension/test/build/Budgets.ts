/**
 * What the parts of a built extension may weigh, packed, in bytes: what a browser reads each time that it starts one of them, and all that it
 * downloads, but for the one file that is there for workbooks.
 */
import { expect, it } from "vitest"
import type { Built, OutputFile } from "./Output.ts"
import { filesOf, packedBytes, scriptsOf } from "./Output.ts"

type Parts = (folder: string) => Promise<ReadonlyArray<OutputFile>>

const named =
  (path: string): Parts =>
  async (folder) =>
    (await filesOf(folder)).filter((file) => file.path === path)

const isNoWorkbook = ({ path }: OutputFile): boolean => !/^assets\/Workbook-[^/]+\.js$/.test(path)

const budgets: ReadonlyArray<readonly [what: string, most: number, parts: Parts]> = [
  // With what draws marks: almost every page of a listing site has links that need them, and a script of their own would take a message to load.
  ["content script", 11_000, named("listing.js")],
  ["content script's details", 8_000, named("details.js")],
  ["popup's scripts", 20_000, (folder) => scriptsOf(folder, "popup.html")],
  ["background", 98_304, named("background.js")],
  ["package without exceljs", 300_000, async (folder) => (await filesOf(folder)).filter(isNoWorkbook)],
]

export const budgetsHold = ({ folder }: Built): void => {
  it.each(budgets)("has a %s of at most %d bytes, packed", async (_what, most, parts) => {
    const files = await parts(folder())
    expect(files).not.toEqual([])
    expect(packedBytes(files)).toBeLessThanOrEqual(most)
  })
}
