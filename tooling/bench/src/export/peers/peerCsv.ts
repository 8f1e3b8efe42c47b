/** The same CSV with papaparse, one page at a time, and with fast-csv's stream, each used as documented. Neither guards formulas as well. */
import { once } from "node:events"
import { Writable } from "node:stream"
import type { Contract } from "@deedkit/core"
import { contracts } from "@deedkit/export"
import { load } from "../../measure/Peers.ts"
import type { Case, Pages, Put } from "../files/Case.ts"

interface Papa {
  readonly unparse: (rows: ReadonlyArray<ReadonlyArray<unknown>>, options: object) => string
}

const headings = contracts.columns.map(({ label }) => label)
const cells = (contract: Contract.Contract): ReadonlyArray<unknown> => {
  const { created_at, id, kind, listing, listing_id, status, template_id, unit_id, unit_label, updated_at } =
    contract
  return [
    id,
    status,
    kind,
    unit_label,
    listing?.title,
    listing?.city,
    listing?.area,
    created_at,
    updated_at,
    unit_id,
    listing_id,
    listing?.slug,
    template_id,
    listing?.id,
    null,
  ]
}

export const papaparse: Case = async () => {
  const { default: papa } = await load<{ readonly default: Papa }>("papaparse", "export-csv")
  const options = { newline: "\r\n", escapeFormulae: true }
  return (pages, put) => {
    let first = [headings] as ReadonlyArray<ReadonlyArray<unknown>>
    for (const page of pages()) {
      put(Buffer.from(`${papa.unparse([...first, ...page.map(cells)], options)}\r\n`))
      first = []
    }
  }
}

interface FastCsv {
  readonly format: (options: object) => NodeJS.ReadWriteStream & { readonly writableNeedDrain: boolean }
}

export const fastCsv: Case = async () => {
  const { format } = await load<FastCsv>("@fast-csv/format")
  return (pages, put) => writeFast(format, pages, put)
}

const writeFast = async (format: FastCsv["format"], pages: Pages, put: Put): Promise<void> => {
  const stream = format({ headers: headings, rowDelimiter: "\r\n", includeEndRowDelimiter: true })
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      put(chunk)
      done()
    },
  })
  stream.pipe(sink)
  for (const page of pages()) {
    for (const contract of page) {
      if (!stream.write(cells(contract) as unknown as Uint8Array)) await once(stream, "drain")
    }
  }
  stream.end()
  await once(sink, "finish")
}
