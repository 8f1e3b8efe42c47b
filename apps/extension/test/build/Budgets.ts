/**
 * What the parts of a built extension may weigh, packed, in bytes: what a browser reads each time that it starts one of them: 6 kB on
 * every page of a site and as much for each part that comes later, 16 in the popup and 60 in the background. All of it together is what a
 * browser downloads, but for the one file that is there for workbooks.
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
  ["content script", 6_144, named("listing.js")],
  ["content script's marks", 6_144, named("marks.js")],
  ["content script's details", 6_144, named("details.js")],
  ["script to choose a link", 6_144, named("choose.js")],
  ["popup's scripts", 16_384, (folder) => scriptsOf(folder, "popup.html")],
  ["background", 61_440, named("background.js")],
  ["package without exceljs", 237_000, async (folder) => (await filesOf(folder)).filter(isNoWorkbook)],
]

export const budgetsHold = ({ folder }: Built): void => {
  it.each(budgets)("has a %s of at most %d bytes, packed", async (_what, most, parts) => {
    const files = await parts(folder())
    expect(files).not.toEqual([])
    expect(packedBytes(files)).toBeLessThanOrEqual(most)
  })
}
