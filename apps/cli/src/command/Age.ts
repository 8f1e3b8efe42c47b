/** A span of time as people write it: `90m`, `36h`, `2d`. Pure. */

const millisOf: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** What it takes, in words. */
export const shape = "a span such as 90m, 36h or 2d"

/** Milliseconds; null for what is no span, and for none at all. */
export const parse = (text: string): number | null => {
  const [, amount = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)([smhdw])$/.exec(text.trim()) ?? []
  const millis = Number(amount) * (millisOf[unit] ?? Number.NaN)
  return millis > 0 ? millis : null
}
