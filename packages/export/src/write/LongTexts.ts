/**
 * Texts that are too long for a cell, as lines of the sidecar, one JSON object each. They are collected while a page is written. The cell says on
 * which line its text is.
 */
import type { LongText } from "./Fit.ts"

/** Number of characters of a text that stay in its cell if the target is not a file. */
const kept = 32_000

/** The beginning of a text that no cell can hold. */
export const cut = ({ text }: LongText): string => `${text.slice(0, kept).toWellFormed()}…`

export class LongTexts {
  readonly #fileName: string
  #pending = ""
  #lines = 0

  /** `fileName` is the name of the file in the cells. */
  constructor(fileName: string) {
    this.#fileName = fileName
  }

  /** Takes a text, and returns the content of its cell. */
  readonly take = ({ column, row, table, text }: LongText): string => {
    this.#lines += 1
    this.#pending += `${JSON.stringify({ table, row, column, text })}\n`
    return `[${text.length} characters: see line ${this.#lines} of ${this.#fileName}]`
  }

  /** The lines since the last call. */
  drain(): string {
    const drained = this.#pending
    this.#pending = ""
    return drained
  }

  get count(): number {
    return this.#lines
  }
}
