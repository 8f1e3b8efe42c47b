/** Pages of a walk, a plain format and a folder of one's own, for the tests of runs. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import type { InvalidRecord, Page, WalkSummary } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { Table } from "../src/Table.ts"
import type { TableWriter } from "../src/TableWriter.ts"
import { ofText, unlimited } from "../src/TableWriter.ts"

export interface Row {
  readonly id: number
}

export const rows: Table<Row> = {
  name: "rows",
  title: "Rows",
  columns: [{ name: "id", label: "Id", kind: "integer", get: (row) => row.id }],
  onDemand: [],
}

/** One line a record, a line of headings before them. */
export const lines: TableWriter = ofText(
  { name: "lines", extension: "txt", mediaType: "text/plain", limits: unlimited },
  ({ columns }, { headings }) => {
    let pending = `${columns.map((column) => (headings === "api" ? column.name : column.label)).join(" ")}\n`
    const take = (text: string): string => {
      const taken = pending + text
      pending = ""
      return taken
    }
    return {
      page: (records) =>
        take(
          records
            .map((record) => `${columns.map((column) => Json.stringify(column.get(record))).join(" ")}\n`)
            .join(""),
        ),
      end: () => take(""),
    }
  },
)

const summary = (pages: number, records: number, complete: boolean): WalkSummary =>
  Fixtures.walkSummary({
    startedAt: "2026-03-01T09:30:00Z",
    pages,
    records,
    complete,
    completeness: {
      state: complete ? "proven" : "unverified",
      reason: !complete ? "unfinished" : pages === 1 ? "one-page" : "linked-pages",
      readings: complete ? 1 : 0,
      differences: 0,
    },
  })

export interface PageOptions {
  readonly number?: number
  readonly complete?: boolean
  readonly invalid?: ReadonlyArray<InvalidRecord>
}

/** A page with the given ids; the last one unless told otherwise. */
export const page = (ids: ReadonlyArray<number>, options: PageOptions = {}): Page<Row> => {
  const { complete = true, invalid = [], number = 1 } = options
  const upToHere = summary(number, ids.length, complete)
  const records = ids.map((id) => ({ id }))
  return Fixtures.page(records, { invalid, next: complete ? null : 1, summary: upToHere })
}

/** A record that came without its city. */
export const invalid = (id: number): InvalidRecord => ({
  id,
  issues: [{ path: "listing.city", expected: "string", found: "nothing" }],
  raw: { id, reference: 9007199254740993n },
})

/** A folder that is gone when the scope closes. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "deedkit-export-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)
