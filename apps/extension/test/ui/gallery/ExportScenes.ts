/** The export page in each of its states. The worker is the real one; its index is empty, so that what is made here is made of API keys. */
import type { ReadSummary } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { ApiKeysAnswer } from "../../../src/messages/PageMessage.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import * as Picked from "../../../src/ui/export/Picked.ts"
import { ready, unread, world } from "./Worlds.ts"

const page = (name: string, state: AppState, more: Partial<Scene> = {}): Scene => ({
  page: "export",
  name,
  world: world(state),
  size: [900, 1_100],
  ...more,
})

const sync: ReadSummary = Fixtures.readSummary({
  collection: "api-keys",
  startedAt: "2026-03-01T14:19:59Z",
  records: 12,
  idOrder: "descending",
})

const keys = (complete: boolean): ApiKeysAnswer => ({
  apiKeys: JSON.stringify(
    Array.from({ length: 12 }, (_, at) => ({
      id: 40 + at,
      name: `Office ${at + 1}`,
      scopes: ["read:contracts", "read:me"],
      created_at: "2025-05-01T08:00:00Z",
      last_used_at: at % 3 === 0 ? null : "2026-02-27T16:41:00Z",
      revoked_at: null,
    })),
  ),
  readAt: "2026-03-01T14:20:00Z",
  complete,
  sync: { ...sync, complete },
})

const makeKeys =
  (waitFor: string, button = "Export file") =>
  async (tab: Visit): Promise<void> => {
    await tab.choose("API keys")
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

const choosing = async (tab: Visit): Promise<void> => {
  await tab.click("button", "Add condition")
  await tab.fill("Value of condition 1", "active")
  await tab.click("button", "Add condition")
  await tab.choose("Column of condition 2", "updated_at")
  await tab.choose("Comparison of condition 2", ">=")
  await tab.fill("Value of condition 2", "2026-01")
}

const many: AppState = { ...ready, index: { ...ready.index, contracts: 3_200_000 } }

export const exportScenes: ReadonlyArray<Scene> = [
  page("choices", ready, { act: choosing, size: [820, 1_500] }),
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
    world: world(ready, { answers: { "page.apiKeys": keys(true) } }),
    act: makeKeys("Complete: the file has every record"),
    size: [900, 560],
  }),
  page("unverified", ready, {
    world: world(ready, { answers: { "page.apiKeys": keys(false) } }),
    act: makeKeys("Completeness is not verified"),
    isPictured: false,
  }),
  page("copied", ready, {
    world: world(ready, { answers: { "page.apiKeys": keys(true) } }),
    act: makeKeys("copied", "Copy for Google Sheets"),
    isPictured: false,
  }),
  page("refused", ready, {
    act: async (tab) => {
      await tab.click("button", "Add condition")
      await tab.choose("Column of condition 1", "updated_at")
      await tab.fill("Value of condition 1", "yesterday")
      await tab.click("button", "Export file")
      await tab.reads("These export settings are not valid.")
    },
    isPictured: false,
  }),
  page("many", many, {
    act: async (tab) => {
      await tab.choose("Excel workbook")
      await tab.reads("the export needs about")
    },
    isPictured: false,
  }),
  page("narrow", ready, { act: choosing, size: [360, 900], isPictured: false }),
  page("rtl", ready, { act: choosing, direction: "rtl", isPictured: false }),
]
