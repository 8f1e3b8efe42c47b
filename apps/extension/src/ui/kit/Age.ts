/**
 * Times for people: how long ago, how long until, and the moment itself. Takes the current time as an argument and reads no clock.
 */
import { region, text, plural } from "./Message.ts"

const steps: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]

/** Formats are created once: creating one takes far longer than using it, and each row of a list needs two. */
const ages: { [Style in Intl.RelativeTimeFormatStyle]?: Intl.RelativeTimeFormat } = {}
let moments: Intl.DateTimeFormat | undefined

const relative = (seconds: number, style: Intl.RelativeTimeFormatStyle): string => {
  const format = (ages[style] ??= new Intl.RelativeTimeFormat(region(), { numeric: "always", style }))
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1]
  const said = format.format(Math.trunc(seconds / length), unit)
  // A language without narrow words uses only a sign: `-2 dias`.
  return style === "narrow" && /^[-+−]/.test(said) ? relative(seconds, "short") : said
}

/** How long ago a moment was, such as `3 hr. ago`; below a minute, and for a moment in the future, `just now`. */
export const age = (
  iso: string,
  nowMillis: number,
  style: Intl.RelativeTimeFormatStyle = "short",
): string => {
  const seconds = (Date.parse(iso) - nowMillis) / 1000
  if (Number.isNaN(seconds)) return iso
  return seconds > -60 ? text("justNow") : relative(seconds, style)
}

/** Creates the formats of a list in advance, during a wait. */
export const prepare = (): void => {
  age(new Date(0).toISOString(), Date.now(), "narrow")
  moment(new Date(0).toISOString())
}

/** How long it is until a moment, such as `in 40 seconds`; null if it has passed. Without a full stop, because it ends sentences. */
export const remaining = (iso: string, nowMillis: number): string | null => {
  const seconds = (Date.parse(iso) - nowMillis) / 1000
  return seconds > 0 ? relative(Math.max(1, seconds), "long") : null
}

/** The time of day, for moments close to now. */
export const clock = (iso: string): string =>
  new Intl.DateTimeFormat(region(), { timeStyle: "medium" }).format(Date.parse(iso))

/** The date in the user's own time zone, such as `21 Nov 2026`. */
export const day = (iso: string): string => {
  const millis = Date.parse(iso)
  return Number.isNaN(millis)
    ? iso
    : new Intl.DateTimeFormat(region(), { dateStyle: "medium" }).format(millis)
}

/** Date and time in the user's own time zone, such as `21 Nov 2026, 09:12`. */
export const moment = (iso: string): string => {
  const millis = Date.parse(iso)
  return Number.isNaN(millis)
    ? iso
    : (moments ??= new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" })).format(
        millis,
      )
}

/** A number of minutes in words, such as `every 3 hours`. */
export const intervalName = (minutes: number): string => {
  if (minutes === 1_440) return text("everyDay")
  return minutes % 60 === 0 ? plural("everyHours", minutes / 60) : plural("everyMinutes", minutes)
}
