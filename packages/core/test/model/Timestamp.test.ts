import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isDocumented, isTimestamp, sortKey, sortKeyOf, toDate, toEpochMillis } from "../../src/Timestamp.ts"

const documented = [
  "2026-03-01T09:30:00Z",
  "2026-03-01T09:30:00.5Z",
  "2026-03-01T09:30:00.123Z",
  "2026-03-01T09:30:00.123456789Z",
  "1999-12-31T23:59:59Z",
]
const tolerated = [
  "2026-03-01T09:30:00",
  "2026-03-01 09:30:00",
  "2026-03-01T09:30",
  "2026-03-01T11:30:00+02:00",
  "2026-03-01T11:30:00+0200",
  "2026-03-01t09:30:00z",
]
const refused = [
  "",
  "2026-03-01",
  "yesterday",
  "1772357400",
  "2026-3-1T09:30:00Z",
  "2026-13-01T09:30:00Z",
  "2026-00-01T09:30:00Z",
  "2026-03-32T09:30:00Z",
  "2026-03-00T09:30:00Z",
  "2024-02-30T25:61:00Z",
  "2026-03-01T09:30:00.Z",
  "2026-03-01T09:30:00.1234567890Z",
  "2026-03-01T09:30:00Z\n",
  " 2026-03-01T09:30:00Z",
  "2026-03-01T09:30:00+99:00",
  "２０２６-03-01T09:30:00Z",
]

describe("isDocumented", () => {
  it.each(documented)("is true for %j", (text) => {
    expect(isDocumented(text)).toBe(true)
  })

  it.each([...tolerated, ...refused])("is false for %j", (text) => {
    expect(isDocumented(text)).toBe(false)
  })

  it("is true for every moment of four-digit years that JavaScript writes", () => {
    const date = fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(date, (moment) => {
        expect(isDocumented(moment.toISOString())).toBe(true)
      }),
    )
  })
})

describe("isTimestamp", () => {
  it.each([...documented, ...tolerated])("takes %j", (text) => {
    expect(isTimestamp(text)).toBe(true)
  })

  it.each(refused)("refuses the text %j", (text) => {
    expect(isTimestamp(text)).toBe(false)
  })

  it.each([null, undefined, 1772357400, 1n, {}, [], true])("refuses %o", (value) => {
    expect(isTimestamp(value)).toBe(false)
  })

  it("takes nothing that cannot be read as a moment", () => {
    const two = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, "0"))
    const second = two.filter((text) => text !== "60")
    const zone = fc.constantFrom("Z", "", "z", "+02:00", "-0530", "+24:00")
    const separator = fc.constantFrom("T", " ", "t")
    const text = fc
      .tuple(fc.constantFrom("2024", "2026", "0001"), two, two, separator, two, two, second, zone)
      .map(([year, month, day, t, hour, minute, second, z]) =>
        [year, "-", month, "-", day, t, hour, ":", minute, ":", second, z].join(""),
      )
    fc.assert(
      fc.property(text, (it) => {
        expect(isTimestamp(it) && Number.isNaN(toEpochMillis(it))).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("a leap second", () => {
  it("is no timestamp, or one that can be read as a moment", () => {
    const text = "2016-12-31T23:59:60Z"
    expect(isTimestamp(text)).toBe(!Number.isNaN(toEpochMillis(text)))
  })
})

describe("toEpochMillis", () => {
  it.each([
    ["2026-03-01T09:30:00Z", Date.UTC(2026, 2, 1, 9, 30)],
    ["2026-03-01T09:30:00.123Z", Date.UTC(2026, 2, 1, 9, 30, 0, 123)],
    ["2026-03-01T11:30:00+02:00", Date.UTC(2026, 2, 1, 9, 30)],
    ["2026-03-01T04:00:00-0530", Date.UTC(2026, 2, 1, 9, 30)],
    ["2026-03-01T09:30:00", Date.UTC(2026, 2, 1, 9, 30)],
    ["2026-03-01 09:30:00", Date.UTC(2026, 2, 1, 9, 30)],
    ["2026-03-01T09:30", Date.UTC(2026, 2, 1, 9, 30)],
  ])("reads %s as UTC where it names no zone", (text, millis) => {
    expect(toEpochMillis(text)).toBe(millis)
    expect(toDate(text).getTime()).toBe(millis)
  })

  it("is NaN for a text that is no timestamp", () => {
    expect(toEpochMillis("yesterday")).toBeNaN()
    expect(toDate("yesterday").getTime()).toBeNaN()
  })

  it("is undone by toISOString for every moment", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date("9999-01-01T00:00:00Z"), noInvalidDate: true }),
        (date) => {
          expect(toDate(date.toISOString())).toEqual(date)
        },
      ),
    )
  })
})

describe("sortKey", () => {
  /** A moment, and one of the forms in which services write it. */
  const written = fc
    .record({
      // Few moments, so that many pairs are equal or differ in the last digit only.
      micros: fc.integer({ min: 0, max: 4_000_000 }).map((value) => value - (value % 100_000) + (value % 11)),
      digits: fc.constantFrom(0, 1, 3, 6, 9),
      zone: fc.constantFrom("Z", "z", "", "+02:00", "-0330"),
    })
    .map(({ digits, micros, zone }) => {
      const offset = zone === "+02:00" ? 120 : zone === "-0330" ? -210 : 0
      const millis = Date.UTC(2026, 2, 1, 23, 59, 58) + offset * 60_000 + Math.floor(micros / 1_000)
      const fraction = `${String(micros % 1_000_000).padStart(6, "0")}000`.slice(0, digits)
      const rest = Number(`${String(micros % 1_000_000).padStart(6, "0")}000`.slice(digits, 9) || 0)
      const seconds = new Date(millis).toISOString().slice(0, 19)
      const text = digits === 0 ? `${seconds}${zone}` : `${seconds}.${fraction}${zone}`
      // What the form cuts off is not part of the moment.
      return { text, nanos: micros * 1_000 - rest }
    })

  it("sorts texts of any precision and offset like their moments", () => {
    fc.assert(
      fc.property(written, written, (a, b) => {
        const [first, second] = [sortKey(a.text), sortKey(b.text)]
        const order = first < second ? -1 : first > second ? 1 : 0
        expect(order).toBe(Math.sign(a.nanos - b.nanos))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ["2026-03-01T09:30:20Z", "2026-03-01T09:30:20"],
    ["2026-03-01T09:30:20.000Z", "2026-03-01T09:30:20"],
    ["2026-03-01T09:30:20.500000Z", "2026-03-01T09:30:20.5"],
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00"],
    ["2026-03-01 11:30+02:00", "2026-03-01T09:30:00"],
    ["2026-03-01T11:30:20.123456+02:00", "2026-03-01T09:30:20.123456"],
    ["", ""],
  ])("%s is %s", (text, key) => {
    expect(sortKey(text)).toBe(key)
  })

  it("of a moment is that of its text", () => {
    expect(sortKeyOf(Date.UTC(2026, 2, 1, 9, 30, 20, 500))).toBe("2026-03-01T09:30:20.5")
  })
})
