/**
 * libxlsxwriter, the fastest writer of workbooks in C, as a peer: its program is compiled on demand and reads the same rows from a dump. If there is
 * no compiler or no library, the table says so. Debian: `apt install gcc libxlsxwriter-dev`.
 */
import { spawnSync } from "node:child_process"
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Contract } from "@deedkit/core"
import { Cell, contracts } from "@deedkit/export"
import type { Pages } from "../files/Case.ts"

/** Compiles the program into the folder. Returns its path, or null and the reason. */
export const compile = (folder: string): { readonly path: string | null; readonly why: string } => {
  const path = join(folder, "libxlsxwriter")
  const source = join(import.meta.dirname, "libxlsxwriter.c")
  const { error, status, stderr } = spawnSync("gcc", ["-O2", "-o", path, source, "-lxlsxwriter"], {
    encoding: "utf8",
  })
  if (error !== undefined) return { path: null, why: "not measured: there is no gcc" }
  if (status === 0) return { path, why: "" }
  const isMissing = /xlsxwriter\.h|-lxlsxwriter/.test(stderr)
  return { path: null, why: isMissing ? "not measured: there is no libxlsxwriter-dev" : stderr.slice(0, 200) }
}

const cell = (kind: Cell.CellKind, value: Cell.CellValue): string => {
  const scalar = Cell.scalar(value)
  if (scalar === null) return "-"
  if (typeof scalar === "number") return `n${scalar}`
  return `${kind === "timestamp" ? "d" : "s"}${String(scalar).replaceAll("\n", "\x1f")}`
}

/** Number of cells per row, which the program needs. */
export const columnCount = contracts.columns.length

/** Writes rows in the program's input format: one cell per line, with its kind as the first character. */
export const dump = (pages: Pages, path: string): void => {
  const file = openSync(path, "w")
  const { columns } = contracts
  const row = (contract: Contract.Contract): string =>
    columns.map(({ get, kind }) => `${cell(kind, get(contract))}\n`).join("")
  writeSync(file, columns.map(({ label }) => `h${label}\n`).join(""))
  for (const page of pages()) writeSync(file, page.map(row).join(""))
  closeSync(file)
}
