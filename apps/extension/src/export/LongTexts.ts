/** Texts that no cell of a format can hold, on their way to the file beside the export: one JSON object a line. The cell says which line. */
import type { Fit } from "@deedkit/export"
import { BlobFile } from "./BlobFile.ts"
import type { MadeFile } from "./ExportMessage.ts"

export class LongTexts {
  readonly #name: string
  readonly #file = new BlobFile()
  readonly #encoder = new TextEncoder()
  #lines = 0

  /** `name` is what cells call the file. */
  constructor(name: string) {
    this.#name = name
  }

  /** Takes a text, and gives what stands in its cell instead. */
  readonly take = ({ column, row, table, text }: Fit.LongText): string => {
    this.#lines += 1
    this.#file.write(this.#encoder.encode(`${JSON.stringify({ table, row, column, text })}\n`))
    return `[${text.length} characters: see line ${this.#lines} of ${this.#name}]`
  }

  get count(): number {
    return this.#lines
  }

  /** The file with its SHA-256 in hexadecimal; null when there was no such text. */
  finish(): { readonly file: MadeFile; readonly sha256: string } | null {
    if (this.#lines === 0) return null
    const { content, sha256 } = this.#file.finish("application/x-ndjson")
    return { file: { name: this.#name, content }, sha256 }
  }
}
