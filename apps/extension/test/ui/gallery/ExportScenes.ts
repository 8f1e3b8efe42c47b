/** The export page in each of its states. The worker is the real one; its index is empty, so that what is made here is made of API keys. */
import type { Page } from "playwright-core"
import type { ReadSummary } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { ApiKeysAnswer } from "../../../src/messages/PageMessage.ts"
import type { Scene } from "./Scene.ts"
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
  ordering: "descending",
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
  async (tab: Page): Promise<void> => {
    await tab.getByLabel("API keys").click()
    await tab.getByRole("button", { name: button }).click()
    await tab.getByText(waitFor).first().waitFor()
    await tab.getByText(waitFor).first().scrollIntoViewIfNeeded()
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

const choosing = async (tab: Page): Promise<void> => {
  await tab.getByRole("button", { name: "Add condition" }).click()
  await tab.getByLabel("Value of condition 1").fill("active")
  await tab.getByRole("button", { name: "Add condition" }).click()
  await tab.getByLabel("Column of condition 2").selectOption("updated_at")
  await tab.getByLabel("Comparison of condition 2").selectOption(">=")
  await tab.getByLabel("Value of condition 2").fill("2026-01")
}

const many: AppState = { ...ready, index: { ...ready.index, contracts: 3_200_000 } }

export const exportScenes: ReadonlyArray<Scene> = [
  page("choices", ready, { act: choosing, size: [820, 1_500] }),
  page("unread", unread, {
    act: (tab) => tab.getByText("No contracts yet").waitFor(),
    isPictured: false,
  }),
  page("waiting", syncing, {
    act: async (tab) => {
      await tab.getByLabel("A new sync").click()
      await tab.getByRole("button", { name: "Export file" }).click()
      await tab.getByText("Rate limited").scrollIntoViewIfNeeded()
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
      await tab.getByRole("button", { name: "Add condition" }).click()
      await tab.getByLabel("Column of condition 1").selectOption("updated_at")
      await tab.getByLabel("Value of condition 1").fill("yesterday")
      await tab.getByRole("button", { name: "Export file" }).click()
      await tab.getByText("These export settings are not valid.").waitFor()
    },
    isPictured: false,
  }),
  page("many", many, {
    act: async (tab) => {
      await tab.getByLabel("Excel workbook").click()
      await tab.getByText("the export needs about").waitFor()
    },
    isPictured: false,
  }),
  page("narrow", ready, { act: choosing, size: [360, 900], isPictured: false }),
  page("rtl", ready, { act: choosing, direction: "rtl", isPictured: false }),
]
