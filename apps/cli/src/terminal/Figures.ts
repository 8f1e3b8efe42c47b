/** Figures and lists for people: counts with their noun, bytes, durations, times of day, names in a row. */

let grouped: Intl.NumberFormat | null = null

/** Created with the first figure: help shows no figures, and the data of `Intl` takes time to load. */
const format = (number: number): string => (grouped ??= new Intl.NumberFormat("en-US")).format(number)

/** `1,204 contracts`, `1 contract`. */
export const count = (number: number, one: string, many: string): string =>
  `${format(number)} ${number === 1 ? one : many}`

/** `812 B`, `48 kB`, `1.3 MB`, in powers of ten as file managers show them. */
export const bytes = (number: number): string =>
  number < 1_000
    ? `${number} B`
    : number < 999_500
      ? `${Math.round(number / 1_000)} kB`
      : `${(number / 1_000_000).toFixed(1)} MB`

/** `0.4 s`, `12 s`, `3 min`, `5 h`, `3 days`. */
export const duration = (millis: number): string =>
  millis < 950
    ? `${(Math.max(1, Math.round(millis / 100)) / 10).toFixed(1)} s`
    : millis < 120_000
      ? `${Math.round(millis / 1_000)} s`
      : millis < 7_200_000
        ? `${Math.round(millis / 60_000)} min`
        : millis < 172_800_000
          ? `${Math.round(millis / 3_600_000)} h`
          : `${Math.round(millis / 86_400_000)} days`

/** The local time of day to the second, `14:03:10`. */
export const timeOfDay = (iso: string): string => new Date(iso).toTimeString().slice(0, 8)

/** `a, b and c`. */
export const listed = (words: ReadonlyArray<string>, last: "and" | "or" = "and"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`

/** `a, b, c and 7 more`: at most `most` words by name. */
export const firstOf = (words: ReadonlyArray<string | number>, most: number): string => {
  const rest = words.length - most
  return `${words.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
