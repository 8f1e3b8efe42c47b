/** The files of the playground, made in the page. Loaded when one is asked for. */
import type { Contract } from "@deedkit/core/promise"
import { contracts, TableWriter } from "@deedkit/export"
import * as Csv from "@deedkit/export-csv"
import * as Xlsx from "@deedkit/export-xlsx"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export type FileName = "contracts.csv" | "contracts.xlsx"

export const make = (name: FileName, records: ReadonlyArray<Contract>): Promise<Blob> => {
  const writer = name === "contracts.csv" ? Csv.writer({ flavour: "excel" }) : Xlsx.writer()
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  // A chunk is valid only until the next one, so it is copied.
  const bytes = Stream.runForEach(TableWriter.bytes(writer, contracts, Stream.make(records)), (chunk) =>
    Effect.sync(() => void parts.push(new Uint8Array(chunk))),
  )
  return Effect.runPromise(Effect.map(bytes, () => new Blob(parts, { type: writer.format.mediaType })))
}
