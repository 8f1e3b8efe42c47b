/**
 * A sheet's rows as one of Excel's tables: a name for formulas and Power Query, a filter, and stripes that follow it.
 *
 * The filter is the table's. With a second filter on the sheet, over the same cells, Excel would repair the file.
 */
import * as TextXml from "../sheet/TextXml.ts"
import { declaration, mainNamespace } from "./Namespaces.ts"

/** The table style of a workbook: lines, and stripes. */
export const styleName = "Deedkit"

/** Names that a formula takes for a cell, as in `Q1`, `R` and `R1C1`. */
const likeCell = /^(?:[a-z]{1,3}\d+|r\d*c?\d*|c\d*)$/i

const mostCharacters = 200

/** Returns a function that makes names that a table can have and that were not given before: `API_keys` for `API keys`. */
export const names = (): ((title: string) => string) => {
  const given = new Set<string>()
  return (title) => {
    const word = title
      .toWellFormed()
      .slice(0, mostCharacters)
      .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
      .replaceAll(/^_+|_+$/g, "")
    const base = /^\p{L}/u.test(word) && !likeCell.test(word) ? word : `Table_${word}`
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}_${number}`
      if (given.has(name.toLowerCase())) continue
      given.add(name.toLowerCase())
      return name
    }
  }
}

export interface TableSpec {
  /** Unique in the workbook, from 1. */
  readonly id: number
  /** A name that `names` gave. */
  readonly name: string
  /** As in the cells, and unique. */
  readonly headings: ReadonlyArray<string>
  /** Cells, such as `A1:F20`, headings included; at least one row below them. */
  readonly ref: string
  /** What the table holds, for users of screen readers. */
  readonly description: string
}

/** The part `xl/tables/tableN.xml`. */
export const xml = ({ description, headings, id, name, ref }: TableSpec): string => {
  const columns = headings.map(
    (heading, at) => `<tableColumn id="${at + 1}" name="${TextXml.encodedTwice(heading)}"/>`,
  )
  return `${declaration}<table xmlns="${mainNamespace}" id="${id}" name="${name}" displayName="${name}" ref="${ref}" totalsRowShown="0"><autoFilter ref="${ref}"/><tableColumns count="${columns.length}">${columns.join("")}</tableColumns><tableStyleInfo name="${styleName}" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/><extLst><ext uri="{504A1905-F514-4f6f-8877-14C23A59335A}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:table altText="${name}" altTextSummary="${TextXml.plain(description)}"/></ext></extLst></table>`
}
