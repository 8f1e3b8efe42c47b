/** Figures and lists for people: counts with their noun, bytes, durations, local times, names in a row. */

let grouped: Intl.NumberFormat | null = null

/** `1,204`. `Intl` is asked with the first figure: help shows none, and its data takes time to load. */
export const figure = (number: number): string => (grouped ??= new Intl.NumberFormat("en-US")).format(number)

/** `1,204 contracts`, `1 contract`. */
export const count = (number: number, one: string, many: string): string =>
  `${figure(number)} ${number === 1 ? one : many}`

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
const timeOfDay = (at: Date): string => at.toTimeString().slice(0, 8)

const padded = (number: number, digits: number): string => String(number).padStart(digits, "0")

/** The local date, `2026-03-01`. */
const dateOf = (at: Date): string =>
  `${padded(at.getFullYear(), 4)}-${padded(at.getMonth() + 1, 2)}-${padded(at.getDate(), 2)}`

/** The distance of local time from UTC, `+02:00`. */
const offsetOf = (at: Date): string => {
  const minutes = Math.round(Math.abs(at.getTimezoneOffset()))
  return `${at.getTimezoneOffset() > 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}:${padded(minutes % 60, 2)}`
}

/** A local time: `14:03:10`, or for a log, which is read later, `2026-03-01 14:03:10 +02:00`. */
export const moment = (at: string | number, isLogged: boolean): string => {
  const date = new Date(at)
  return isLogged ? `${dateOf(date)} ${timeOfDay(date)} ${offsetOf(date)}` : timeOfDay(date)
}

/** A line, in a log with the local time before it. */
export const stamped = (line: string, at: string | number, isLogged: boolean): string =>
  isLogged ? `${moment(at, true)} ${line}` : line

/** From one local time to another: `14:03:10-14:03:18`, or for a log `2026-03-01 14:03:10-14:03:18 +02:00`. */
export const period = (from: string, to: string, isLogged: boolean): string => {
  const [start, end] = [new Date(from), new Date(to)]
  if (!isLogged) return `${timeOfDay(start)}-${timeOfDay(end)}`
  return dateOf(start) === dateOf(end) && offsetOf(start) === offsetOf(end)
    ? `${dateOf(start)} ${timeOfDay(start)}-${timeOfDay(end)} ${offsetOf(end)}`
    : `${moment(from, true)} to ${moment(to, true)}`
}

/** `a, b and c`. */
export const listed = (words: ReadonlyArray<string>, last: "and" | "or" = "and"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`

/** `a, b, c and 7 more`: at most `most` words by name. */
export const firstOf = (words: ReadonlyArray<string | number>, most: number): string => {
  const rest = words.length - most
  return `${words.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
