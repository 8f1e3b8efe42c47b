/** The memory use of writing, and the number of bytes that a writer buffers while its sink is slow. */
import { measure } from "../measure/Child.ts"
import { print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"
import { csvNames, xlsxNames } from "./cases.ts"
import type { Place } from "./files/Place.ts"

const few = 100_000
const many = 1_000_000

export const memoryTable = async ({ program }: Place): Promise<string> => {
  const rows: Array<Row> = []
  for (const name of [csvNames.ours, xlsxNames.ours]) {
    const peakOf = async (count: number): Promise<number> =>
      (await measure(program("write"), [name, String(count)])).peakRssMegabytes
    const small = await peakOf(few)
    const large = await peakOf(many)
    const more = large - small
    const verdict = more <= 120 ? "met" : "MISSED"
    rows.push(
      { name: `${name}, 100,000 contracts`, figures: [small], note: "", limits: {} },
      {
        name: `${name}, 1,000,000 contracts`,
        figures: [large],
        note: `${more.toFixed(0)} MB more than for 100,000, limit 120: ${verdict}`,
        limits: {},
        atMost: 350,
      },
    )
  }
  return print("Peak memory of writing", "peak RSS MB", rows)
}

export const heldTable = async ({ file, program }: Place): Promise<string> => {
  const rows: Array<Row> = []
  for (const [format, name] of [
    ["csv", csvNames.ours],
    ["xlsx", xlsxNames.ours],
  ] as const) {
    const { bytes = 0, peakRssMegabytes } = await measure(program("slow"), [
      format,
      "200000",
      file(`slow.${format}`),
    ])
    const note = `peak RSS ${peakRssMegabytes.toFixed(0)} MB`
    rows.push({ name, figures: [bytes / 1_048_576], note, limits: {}, atMost: 2 })
  }
  return print("Held back at most, while a sink takes 1 MB a second for 2 s", "MiB before packing", rows)
}
