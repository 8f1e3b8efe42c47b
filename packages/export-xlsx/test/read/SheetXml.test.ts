import { expect, it } from "vitest"
import { attributeOf, dateStyles, rowsOf, sharedStrings } from "../../src/read/SheetXml.ts"

/** A text in pieces of one character, so that every element is cut everywhere. */
const pieces = async function* (text: string) {
  for (const character of text) yield character
}

const options = { strings: ["zero", "one"], isDate: [false, true], from1904: false }

it("reads every type of cell, with and without references, cut anywhere", async () => {
  const xml =
    '<sheetData><row r="1"><c r="B1" t="s"><v>1</v></c><c r="C1"/><c t="b"><v>1</v></c></row>' +
    '<row><c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> &lt;_x0041_&#13;</t></r><rPh><t>no</t></rPh></is></c>' +
    '<c t="str"><f>A1</f><v>x&amp;y</v></c><c t="e"><v>#N/A</v></c><c><v>9007199254740993</v></c><c><v>1.50</v></c></row>' +
    '<row></row><row><c t="inlineStr"><is><t xml:space="preserve"/></is></c></row></sheetData>'
  expect(await rowsOf(pieces(xml), options)).toEqual([
    ["", "one", "", "true"],
    ["a <A\r", "x&y", "#N/A", "9007199254740993", "1.5"],
    [],
    [""],
  ])
})

it("reads elements with prefixes", async () => {
  const xml = '<x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c><x:v>7</x:v></x:c></x:row></x:sheetData>'
  expect(await rowsOf(pieces(xml), options)).toEqual([["zero", "7"]])
  expect(
    await sharedStrings(pieces("<x:sst><x:si><x:t>a</x:t></x:si><x:si><x:t>b</x:t></x:si></x:sst>")),
  ).toEqual(["a", "b"])
})

it("reads no more rows and columns than a sheet can have", async () => {
  const wide = (reference: string) => rowsOf(pieces(`<row><c r="${reference}1"><v>1</v></c></row>`), options)
  expect((await wide("XFD"))[0]).toHaveLength(16_384)
  await expect(wide("XFE")).rejects.toThrow("more columns than a sheet has")
  await expect(wide("ZZZZZZZ")).rejects.toThrow("more columns than a sheet has")
  const many = async function* (rows: number) {
    for (let left = rows; left > 0; left -= 1_024) yield "<row></row>".repeat(Math.min(left, 1_024))
  }
  expect(await rowsOf(many(1_048_576), options)).toHaveLength(1_048_576)
  await expect(rowsOf(many(1_048_577), options)).rejects.toThrow("more rows than a sheet has")
})

it("shows dates as clocks, rounded to milliseconds, from 1900 or 1904", async () => {
  const xml =
    '<row><c s="1"><v>45838.115127314815</v></c><c s="1"><v>45838.11512734954</v></c><c s="1"><v>0.5</v></c></row>'
  expect(await rowsOf(pieces(xml), options)).toEqual([
    ["2025-06-30T02:45:47", "2025-06-30T02:45:47.003", "1899-12-30T12:00:00"],
  ])
  const [row] = await rowsOf(pieces(xml), { ...options, from1904: true })
  expect(row?.[2]).toBe("1904-01-01T12:00:00")
})

it("knows which styles are dates", () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm"/><numFmt formatCode="0 &quot;days&quot;" numFmtId="165"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs count="5"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22" fontId="1"/><xf fontId="1"/></cellXfs>'
  expect(dateStyles(styles)).toEqual([false, true, false, true, false])
})

it("finds an attribute by its whole name", () => {
  expect(attributeOf('cr="1" r="B2"', "r")).toBe("B2")
  expect(attributeOf('cr="1"', "r")).toBeNull()
})
