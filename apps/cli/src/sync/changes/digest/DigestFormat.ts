/** The formats of a digest by name, and the choice among them: by --format, by --json or by the ending of a file name. Pure. */
import type { Failure } from "../../../failure/Failure.ts"
import { usageError } from "../../../failure/Failure.ts"

export const names = ["text", "md", "html", "json", "xlsx"] as const

export type DigestFormat = (typeof names)[number]

const endings: Readonly<Record<string, DigestFormat>> = {
  txt: "text",
  md: "md",
  markdown: "md",
  html: "html",
  htm: "html",
  json: "json",
  xlsx: "xlsx",
}

const ofFile = (out: string): DigestFormat | null => {
  const ending = /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase() ?? ""
  return Object.hasOwn(endings, ending) ? endings[ending]! : null
}

/** The requested format and output. `out` is a path, or `-` for standard output. */
export interface Asked {
  readonly format: DigestFormat | undefined
  readonly json: boolean
  readonly out: string | undefined
}

/** The chosen format, or the error for contradictory flags. */
export const choose = ({ format, json, out }: Asked): DigestFormat | Failure => {
  const isFile = out !== undefined && out !== "" && out !== "-"
  const meant = format ?? (isFile ? ofFile(out) : null)
  if (json && meant !== null && meant !== "json") {
    const other = format === undefined ? `--out ${out}` : `--format ${format}`
    return usageError(`--json and ${other} cannot be combined`, "Choose one of them.")
  }
  if (meant === null && isFile && !json) {
    return usageError(
      `Unknown format for --out ${out}`,
      "Use one of the endings .txt .md .html .json .xlsx, or add --format.",
    )
  }
  if (meant === "xlsx" && out === undefined) {
    return usageError(
      "Missing --out FILE",
      "A workbook is a file: add `--out changes.xlsx`, or `--out -` for standard output.",
    )
  }
  return meant ?? (json ? "json" : "text")
}
