/** What the packages of the stores weigh: whole, and without the one file that has exceljs in it. */
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { filesOf, packedBytes, scriptsOf } from "../build/Output.ts"
import * as Zips from "../build/release/Zips.ts"
import { kilobytes } from "./Finding.ts"
import type { Finding, Findings } from "./Finding.ts"

/** The file that is loaded when a workbook is asked for, and not before. */
const workbook = /^assets\/Workbook-[^/]+\.js$/

const measureZip = async (folder: string, zip: string, browser: string): Promise<Findings> => {
  const { size } = await stat(join(folder, zip))
  const files = await filesOf(join(folder, `${browser}-mv3`))
  const withExceljs = files.filter(({ path }) => workbook.test(path))
  if (withExceljs.length !== 1) throw new Error(`${zip} has ${withExceljs.length} files with exceljs`)
  return {
    [zip]: kilobytes(size),
    [`${zip}, without exceljs`]: kilobytes(size - packedBytes(withExceljs)),
  }
}

export const measure = async (): Promise<Findings> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-sizes-"))
  try {
    await Zips.make(folder)
    const [chrome = "", firefox = ""] = Zips.names
    const extension = join(folder, "chrome-mv3")
    const files = await filesOf(extension)
    const packed = (path: string): Finding =>
      kilobytes(packedBytes(files.filter((file) => file.path === path)))
    return {
      ...(await measureZip(folder, chrome, "chrome")),
      ...(await measureZip(folder, firefox, "firefox")),
      "content script, packed": packed("listing.js"),
      "content script's details, packed": packed("details.js"),
      "popup's scripts, packed": kilobytes(packedBytes(await scriptsOf(extension, "popup.html"))),
      "background, packed": packed("background.js"),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
