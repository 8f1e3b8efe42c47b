/** Every way to write a file that is compared, by its name in the tables. */
import * as Effect from "effect/Effect"
import type { Case } from "./files/Case.ts"

const csv: Case = async (pages, put) => {
  const { writer } = await import("@deedkit/export-csv")
  const { write } = await import("./files/ours.ts")
  await write(writer(), pages, (bytes) => Effect.sync(() => put(bytes)))
}

const xlsx =
  (level: 1 | 6): Case =>
  async (pages, put) => {
    const { writer } = await import("@deedkit/export-xlsx")
    const { write } = await import("./files/ours.ts")
    await write(writer({ level }), pages, (bytes) => Effect.sync(() => put(bytes)))
  }

const handXlsx =
  (level: 1 | 6): Case =>
  async (pages, put) =>
    (await import("./peers/handXlsx.ts")).handXlsx(pages, put, level)

export const csvNames = {
  hand: "hand-written RFC 4180 with the same guard",
  ours: "@deedkit/export-csv",
  papaparse: "papaparse, page by page, escapeFormulae",
  fastCsv: "fast-csv stream, no guard",
  pages: "the pages alone, nothing written",
} as const

export const xlsxNames = {
  hand: "hand-written over node:zlib, level 1",
  ours: "@deedkit/export-xlsx, level 1",
  exceljs: "exceljs stream writer, level 1",
  hand6: "hand-written over node:zlib, level 6",
  ours6: "@deedkit/export-xlsx, level 6",
} as const

export const cases: { readonly [name: string]: Case } = {
  [csvNames.hand]: async (pages, put) => (await import("./peers/handCsv.ts")).handCsv(pages, put),
  [csvNames.ours]: csv,
  [csvNames.papaparse]: async (pages, put) => (await import("./peers/peerCsv.ts")).papaparse(pages, put),
  [csvNames.fastCsv]: async (pages, put) => (await import("./peers/peerCsv.ts")).fastCsv(pages, put),
  [csvNames.pages]: async (pages) => {
    for (const page of pages()) if (page.length === 0) throw new Error("a page is never empty")
  },
  [xlsxNames.hand]: handXlsx(1),
  [xlsxNames.ours]: xlsx(1),
  [xlsxNames.exceljs]: async (pages, put) => (await import("./peers/peerXlsx.ts")).exceljs(1)(pages, put),
  [xlsxNames.hand6]: handXlsx(6),
  [xlsxNames.ours6]: xlsx(6),
}
