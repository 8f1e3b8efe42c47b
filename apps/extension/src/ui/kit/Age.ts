/**
 * Times for people: how long ago, how long yet, and the moment itself. Takes the present as an argument and reads no clock.
 */
import { region, text } from "./Message.ts"

const steps: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
]

/** Formats are made once: to make one takes far longer than to use it, and each row of a list needs two. */
const ages: { [Style in Intl.RelativeTimeFormatStyle]?: Intl.RelativeTimeFormat } = {}
let moments: Intl.DateTimeFormat | undefined

const relative = (seconds: number, style: Intl.RelativeTimeFormatStyle): string => {
  const format = (ages[style] ??= new Intl.RelativeTimeFormat(region(), { numeric: "always", style }))
  const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1]
  const said = format.format(Math.trunc(seconds / length), unit)
  // Where a language has no narrow words, a bare sign stands for them: `-2 dias`.
  return style === "narrow" && /^[-+−]/.test(said) ? relative(seconds, "short") : said
}

/** How long ago a moment was, such as `3 hr. ago`; below a minute, and for clocks that run ahead, `just now`. */
export const age = (
  iso: string,
  nowMillis: number,
  style: Intl.RelativeTimeFormatStyle = "short",
): string => {
  const seconds = (Date.parse(iso) - nowMillis) / 1000
  if (Number.isNaN(seconds)) return iso
  return seconds > -60 ? text("justNow") : relative(seconds, style)
}

/** Makes the formats of a list before there is one, in time that is waited anyway. */
export const prepare = (): void => {
  age(new Date(0).toISOString(), Date.now(), "narrow")
  moment(new Date(0).toISOString())
}

/** How long it is until a moment, such as `in 40 seconds`; null when it has come. Without a stop of its own, because sentences end in it. */
export const remaining = (iso: string, nowMillis: number): string | null => {
  const seconds = (Date.parse(iso) - nowMillis) / 1000
  return seconds > 0 ? relative(Math.max(1, seconds), "long") : null
}

/** The time of day, for moments that are near. */
export const clock = (iso: string): string =>
  new Intl.DateTimeFormat(region(), { timeStyle: "medium" }).format(Date.parse(iso))

/** The date in the reader's own zone, such as `21 Nov 2026`. */
export const day = (iso: string): string => {
  const millis = Date.parse(iso)
  return Number.isNaN(millis)
    ? iso
    : new Intl.DateTimeFormat(region(), { dateStyle: "medium" }).format(millis)
}

/** Date and time in the reader's own zone, such as `21 Nov 2026, 09:12`. */
export const moment = (iso: string): string => {
  const millis = Date.parse(iso)
  return Number.isNaN(millis)
    ? iso
    : (moments ??= new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" })).format(
        millis,
      )
}
