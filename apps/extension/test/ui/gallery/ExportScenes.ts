/** The export page in each of its states. The worker is the real one; its index is empty until a scene fills it. */
import { Fixtures } from "@deedkit/core/testing"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import * as Picked from "../../../src/ui/export/Form.ts"
import * as IndexMeta from "../../../src/index/IndexMeta.ts"
import * as Row from "../../../src/index/Row.ts"
import { contracts, ready, unread, world } from "./Worlds.ts"

const page = (name: string, state: AppState, more: Partial<Scene> = {}): Scene => ({
  page: "export",
  name,
  world: world(state),
  size: [900, 1_100],
  ...more,
})

const completedAt = "2026-03-01T14:20:00Z"
const read = Fixtures.readSummary({ startedAt: "2026-03-01T14:19:59Z", idOrder: "descending" })

/** Puts contracts into the index that the worker reads, once it has made the index for its first preview. Scenes of one browser share it. */
const filling = async (tab: Visit, isComplete = true): Promise<void> => {
  await tab.reads(/No contract matches|The first rows/)
  const rows = contracts.map(({ row }) => {
    const { city, id, kind, slug, status, title, unitLabel, updatedAt } = row
    const listing = slug === null ? null : Fixtures.listing({ slug, title: title ?? "", city: city ?? "" })
    const fields = { id, kind, status, unit_label: unitLabel, updated_at: updatedAt, listing }
    return Row.make(Fixtures.contract(fields), 1, completedAt)
  })
  const summary = { ...read, complete: isComplete }
  const meta = { ...IndexMeta.empty, contracts: rows.length, completedAt, summary }
  await tab.evaluate(
    async (rows, meta) => {
      const answered = (request: IDBRequest): Promise<unknown> =>
        new Promise((resolve) => request.addEventListener("success", () => resolve(request.result)))
      const database = (await answered(indexedDB.open("deedkit"))) as IDBDatabase
      const transaction = database.transaction(["contracts", "meta"], "readwrite")
      for (const row of rows) transaction.objectStore("contracts").put(row)
      await answered(transaction.objectStore("meta").put(meta, "index"))
      database.close()
    },
    rows,
    meta,
  )
  await tab.fill("Only contracts that match", "status:active")
  await tab.sees('.export-preview[aria-busy="false"] td')
}

const making =
  (waitFor: string, button = "Export file", isComplete = true) =>
  async (tab: Visit): Promise<void> => {
    await filling(tab, isComplete)
    await tab.click("button", button)
    await tab.reads(waitFor)
    await tab.bringWords(waitFor)
  }

const syncing: AppState = {
  ...ready,
  sync: {
    _tag: "Syncing",
    startedAt: "2026-03-01T14:19:40Z",
    pages: 6,
    records: 1_200,
    expected: 2_500,
    waiting: { reason: "rate-limited", until: "2026-03-01T14:20:40Z" },
  },
}

const many: AppState = { ...ready, index: { ...ready.index, contracts: 3_200_000 } }

export const exportScenes: ReadonlyArray<Scene> = [
  page("choices", ready, { act: (tab) => filling(tab), size: [820, 1_100] }),
  page("picked", ready, {
    address: Picked.pageOf("first", [1_323, 1_322, 7]).slice("/export.html".length),
    act: (tab) => tab.reads("3 contracts picked on a page"),
  }),
  page("unread", unread, {
    act: (tab) => tab.reads("No contracts yet"),
    isPictured: false,
  }),
  page("waiting", syncing, {
    act: async (tab) => {
      await tab.choose("A new sync")
      await tab.click("button", "Export file")
      await tab.reads("Rate limited")
      await tab.bringWords("Rate limited")
    },
    size: [900, 560],
  }),
  page("made", ready, {
    act: making("Complete: the file has every chosen contract"),
    size: [900, 560],
  }),
  page("unverified", ready, {
    act: making("Completeness is not verified", "Export file", false),
    isPictured: false,
  }),
  page("copied", ready, {
    act: making("copied", "Copy for Google Sheets"),
    isPictured: false,
  }),
  page("many", many, {
    act: async (tab) => {
      await tab.choose("Excel workbook")
      await tab.reads("the export needs about")
    },
    isPictured: false,
  }),
  page("narrow", ready, { act: (tab) => filling(tab), size: [360, 900], isPictured: false }),
  page("rtl", ready, { act: (tab) => filling(tab), direction: "rtl", isPictured: false }),
]
