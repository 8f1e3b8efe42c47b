/** Figures for people: counts with their noun, bytes, durations, times of day. */

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
