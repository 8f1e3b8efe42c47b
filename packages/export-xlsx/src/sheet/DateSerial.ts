/**
 * Converts timestamps to the numbers with which spreadsheets store dates: days since 1899-12-30 and a fraction of a day. Without a zone, the digits
 * are used unchanged; a time with an offset is converted to UTC.
 */

const dayMillis = 86_400_000
const epoch = Date.UTC(1899, 11, 30)
/** 1900-03-01: before that, spreadsheets count a day that did not exist. */
const firstSerial = 61
/** The end of the year 9999, the last year that they support. */
const lastSerial = 2_958_466

const form = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?$/

const dayOf = (date: string): number => {
  const millis = Date.parse(`${date}T00:00:00Z`)
  const isReal = !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(date)
  return isReal ? (millis - epoch) / dayMillis : Number.NaN
}

const exact = (timestamp: string, dayOf: (date: string) => number): string | null => {
  const [, date, hour, minute, second = "0", fraction, sign, offsetHours, offsetMinutes] =
    form.exec(timestamp) ?? []
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null
  const millis = fraction === undefined ? 0 : Number(fraction.slice(1, 4).padEnd(3, "0"))
  const offset =
    sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1)
  const inDay = ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1_000 + millis
  const serial = dayOf(date) + inDay / dayMillis
  return serial >= firstSerial && serial < lastSerial ? String(serial) : null
}

/**
 * Converts many timestamps, most of which share their day, to numbers as text; null for a text that is not a timestamp, or one that no spreadsheet
 * supports.
 */
export const make = (): ((timestamp: string) => string | null) => {
  const days = new Map<string, number>()
  const fractions: Array<string | undefined> = []
  const day = (date: string): number => {
    let known = days.get(date)
    if (known === undefined) {
      if (days.size > 10_000) days.clear()
      known = dayOf(date)
      days.set(date, known)
    }
    return known
  }
  // Straight-line code for the documented form, because this runs twice per record.
  return (timestamp) => {
    if (timestamp.length !== 20 || timestamp.charCodeAt(19) !== 90 || timestamp.charCodeAt(10) !== 84) {
      return exact(timestamp, day)
    }
    const hours = digits(timestamp, 11)
    const minutes = digits(timestamp, 14)
    const seconds = digits(timestamp, 17)
    const whole = day(timestamp.slice(0, 10))
    if (!(whole >= firstSerial && whole < lastSerial) || hours > 23 || minutes > 59 || seconds > 59) {
      return exact(timestamp, day)
    }
    const second = hours * 3_600 + minutes * 60 + seconds
    return `${whole}${(fractions[second] ??= second === 0 ? "" : String(second / 86_400 + 1).slice(1))}`
  }
}

const digits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
