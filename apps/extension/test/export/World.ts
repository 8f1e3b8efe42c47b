/** An index with contracts in it, and the worker's answers about it, without a worker. */
import { Fixtures } from "@deedkit/core/testing"
import type { Contract, ReadSummary } from "@deedkit/core"
import { IDBFactory, IDBKeyRange } from "fake-indexeddb"
import { answer } from "../../src/export/Answers.ts"
import type {
  Copied,
  Done,
  ExportNotice,
  ExportRequest,
  Failed,
  Progress,
  WorkerRequest,
} from "../../src/export/ExportMessage.ts"
import * as IndexReader from "../../src/export/IndexReader.ts"
import * as ContractIndex from "../../src/index/ContractIndex.ts"
import * as Database from "../../src/index/Database.ts"
import type { StoreName } from "../../src/index/Database.ts"
import type { SyncRecord } from "../../src/index/IndexMeta.ts"

globalThis.IDBKeyRange = IDBKeyRange

const completedAt = "2026-03-01T10:00:00Z"

export const contract = (id: number, changed: Partial<Contract.Contract> = {}): Contract.Contract => ({
  id,
  listing_id: id % 5 === 0 ? null : 100 + (id % 7),
  kind: id % 2 === 0 ? "rent" : "sale",
  status: ["draft", "active", "ended"][id % 3] ?? "draft",
  created_at: "2025-01-31T22:30:00Z",
  updated_at: new Date(Date.UTC(2026, 0, 1, 0, 0, (id * 7_919) % 86_400)).toISOString(),
  unit_id: id % 4 === 0 ? null : `u-${id}`,
  unit_label: `Unit ${id}`,
  template_id: 3,
  ...(id % 5 === 0
    ? {}
    : {
        listing: {
          id: 100 + (id % 7),
          slug: `home-${id % 7}`,
          title: "Loft",
          city: "Athens",
          area: "Centre",
        },
      }),
  ...changed,
})

export const summary = (records: number): ReadSummary =>
  Fixtures.readSummary({
    startedAt: "2026-03-01T09:59:00Z",
    pages: 13,
    records,
    limit: 200,
    idOrder: "descending",
    cursor: { parameter: "before_id", state: "verified", evidence: null },
    completeness: { state: "proven", reason: "linked-pages", readings: 1, differences: 0 },
  })

export const syncRecord = (records: number, rejected: number): SyncRecord => ({
  startedAt: "2026-03-01T09:59:00Z",
  after: 0,
  pages: 13,
  records,
  rejected,
  checkpoint: Fixtures.page([], { summary: summary(records) }).checkpoint,
  expected: null,
  failures: 0,
  notBefore: 0,
  pause: null,
})

export interface World {
  readonly database: Database.Database
  readonly index: ContractIndex.ContractIndex
  /** Every store that the worker has opened. */
  readonly opened: Set<StoreName>
  readonly ask: (request: WorkerRequest, hear?: (progress: Progress) => void) => Promise<ExportNotice>
  /** A file, rows for the clipboard, or why not. */
  readonly make: (
    request: Partial<ExportRequest>,
    hear?: (progress: Progress) => void,
  ) => Promise<Done | Copied | Failed>
  readonly finish: (completedAt: string) => Promise<void>
  /** Does this before the worker reads its next page of contracts. */
  readonly meanwhile: (work: () => Promise<void>) => void
}

export const usual: ExportRequest = {
  search: "",
  ids: null,
  preset: "excel",
  name: "contracts-2026-03-01",
  origin: "https://api.example.test",
  profile: "Office",
  language: "en",
  madeBy: "Deedkit extension 0.0.0",
}

/** An index of these contracts, synced to its end unless told otherwise. */
export const make = async (
  contracts: ReadonlyArray<Contract.Contract>,
  { rejected = 0, isComplete = true }: { readonly rejected?: number; readonly isComplete?: boolean } = {},
): Promise<World> => {
  const database = Database.make(new IDBFactory())
  const index = ContractIndex.make(database)
  const sync = syncRecord(contracts.length, rejected)
  await index.putPage({ contracts, invalidIds: [], seenAt: completedAt, sync })
  if (isComplete) await index.finish(sync, completedAt)
  const opened = new Set<StoreName>()
  let before: (() => Promise<void>) | null = null
  const reader = IndexReader.make({
    reading: async (...names) => {
      for (const name of names) opened.add(name)
      if (before !== null && names.includes("contracts")) {
        const work = before
        before = null
        await work()
      }
      return database.reading(...names)
    },
  })
  const ask: World["ask"] = async (request, hear = () => {}) => {
    const notices: Array<ExportNotice> = []
    await answer(request, reader, (notice) => {
      notices.push(notice)
      if (notice._tag === "Progress") hear(notice)
    })
    const last = notices.at(-1)
    if (last === undefined) throw new Error("nothing was answered")
    return last
  }
  return {
    database,
    index,
    opened,
    ask,
    make: async (request, hear) => {
      const notice = await ask({ _tag: "Make", request: { ...usual, ...request } }, hear)
      if (notice._tag === "Done" || notice._tag === "Copied" || notice._tag === "Failed") return notice
      throw new Error(`ended with ${notice._tag}`)
    },
    meanwhile: (work) => {
      before = work
    },
    finish: (at) => index.finish(sync, at),
  }
}

/** The file, where one must have been made. */
export const done = (notice: Done | Copied | Failed): Done => {
  if (notice._tag !== "Done") throw new Error(`no file: ${JSON.stringify(notice)}`)
  return notice
}
