/** A span of time such as `90m`, `36h` or `2d`. Pure. */

const millisOf: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** The accepted form, for messages. */
export const shape = "a span such as 90m, 36h or 2d"

/** Parses a span to milliseconds; null for any other text and for a span of zero. */
export const parse = (text: string): number | null => {
  const [, amount = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)([smhdw])$/.exec(text.trim()) ?? []
  const millis = Number(amount) * (millisOf[unit] ?? Number.NaN)
  return millis > 0 ? millis : null
}
