/** The contracts of the workbook that a page writes, page by page: other scripts, formulas, markup, and members that are absent. */
import type { contracts, Table } from "@deedkit/export"

type Contract = typeof contracts extends Table.Table<infer A> ? A : never

const titles = [
  "Harbour loft",
  "Διαμέρισμα με θέα",
  "=1+1",
  "駅近 & <b>bright</b>",
  "شقة مفروشة",
  "Garden flat 🌿",
]
const pageSize = 500

const contractOf = (id: number): Contract => ({
  id,
  listing_id: id % 7 === 0 ? null : id,
  kind: id % 3 === 0 ? "sale" : "rent",
  status: "active",
  created_at: "2026-03-01T09:30:00Z",
  updated_at: "2026-03-02T12:00:00Z",
  unit_id: id % 2 === 0 ? `U-${id}` : id,
  unit_label: `00${id}`,
  template_id: 3,
  listing:
    id % 7 === 0
      ? null
      : {
          id,
          slug: `listing-${id}`,
          title: titles[id % titles.length] ?? "",
          city: "Χανιά",
          area: "Old port",
        },
})

/** Contracts with the ids from 1 on. */
export function* pagesOf(rows: number): Generator<ReadonlyArray<Contract>> {
  for (let from = 1; from <= rows; from += pageSize) {
    yield Array.from({ length: Math.min(pageSize, rows - from + 1) }, (_, at) => contractOf(from + at))
  }
}
