/**
 * The same workbook with exceljs's stream writer, as its documentation and most answers show it: columns with keys and styles, one row object per
 * record, committed at once. The event loop runs between pages, as it does when pages are fetched.
 */
import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { load } from "../../measure/Peers.ts"
import type { Case, Pages, Put } from "../files/Case.ts"

interface Worksheet {
  columns: ReadonlyArray<object>
  autoFilter: object
  readonly getRow: (row: number) => { font: object; fill: object; commit: () => void }
  readonly addRow: (values: object) => { readonly commit: () => void }
  readonly commit: () => void
}
interface Excel {
  readonly stream: {
    readonly xlsx: {
      readonly WorkbookWriter: new (options: object) => {
        readonly addWorksheet: (name: string, options: object) => Worksheet
        readonly commit: () => Promise<void>
      }
    }
  }
}

const date = { numFmt: "yyyy-mm-dd hh:mm:ss" }
const columns = [
  { header: "Contract", key: "id", width: 12 },
  { header: "Status", key: "status", width: 12 },
  { header: "Kind", key: "kind", width: 12 },
  { header: "Unit", key: "unit", width: 20 },
  { header: "Listing", key: "title", width: 40 },
  { header: "City", key: "city", width: 20 },
  { header: "Area", key: "area", width: 20 },
  { header: "Created (UTC)", key: "created", width: 20, style: date },
  { header: "Updated (UTC)", key: "updated", width: 20, style: date },
  { header: "Unit id", key: "unitId", width: 12 },
  { header: "Listing id", key: "listingId", width: 12 },
  { header: "Listing slug", key: "slug", width: 24 },
  { header: "Template id", key: "template", width: 12 },
  { header: "Id in listing", key: "idInListing", width: 12 },
]

export const exceljs =
  (level: number): Case =>
  async () => {
    const { default: excel } = await load<{ readonly default: Excel }>("exceljs", "export-xlsx")
    return (pages, put) => write(excel, level, pages, put)
  }

const write = async (excel: Excel, level: number, pages: Pages, put: Put): Promise<void> => {
  const stream = new PassThrough().on("data", put)
  const workbook = new excel.stream.xlsx.WorkbookWriter({
    stream,
    useStyles: true,
    useSharedStrings: false,
    zip: { zlib: { level } },
  })
  const sheet = workbook.addWorksheet("Contracts", { views: [{ state: "frozen", ySplit: 1 }] })
  sheet.columns = columns
  const head = sheet.getRow(1)
  head.font = { bold: true, color: { argb: "FFFFFFFF" } }
  head.fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FF1F4E5F" } }
  head.commit()
  for (const page of pages()) {
    for (const contract of page) {
      const { listing } = contract
      sheet
        .addRow({
          id: contract.id,
          status: contract.status,
          kind: contract.kind,
          unit: contract.unit_label,
          title: listing?.title,
          city: listing?.city,
          area: listing?.area,
          created: new Date(contract.created_at),
          updated: new Date(contract.updated_at),
          unitId: contract.unit_id,
          listingId: contract.listing_id,
          slug: listing?.slug,
          template: contract.template_id,
          idInListing: listing?.id,
        })
        .commit()
    }
    await setImmediate()
  }
  sheet.autoFilter = { from: "A1", to: "N1" }
  sheet.commit()
  await workbook.commit()
}
