/**
 * What texts became lately: cities, kinds and statuses come again and again. Where texts do not, as titles in a long list, it stops
 * looking, because remembering costs more than it saves.
 */

const mostTexts = 4_096
const longestText = 128

export class Memory {
  readonly #known = new Map<string, string>()
  #found = 0
  #isUseful = true

  get(text: string): string | undefined {
    if (!this.#isUseful) return undefined
    const known = this.#known.get(text)
    if (known !== undefined) this.#found += 1
    return known
  }

  keep(text: string, made: string): void {
    if (!this.#isUseful || text.length > longestText) return
    if (this.#known.size === mostTexts) {
      this.#known.clear()
      this.#isUseful = this.#found >= mostTexts
      this.#found = 0
    }
    if (this.#isUseful) this.#known.set(text, made)
  }
}
