/** The first steps in each of their states. */
import type { AppState } from "../../../src/messages/AppState.ts"
import { allGood, missingScope } from "./OptionsScenes.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import { ready, smaller, connection, unread, unset, world } from "./Worlds.ts"

const welcome = (name: string, state: AppState, step: string, more: Partial<Scene> = {}): Scene => ({
  page: "welcome",
  name,
  world: world(state),
  address: `#${step}`,
  size: [760, 640],
  ...more,
})

const withAddress: AppState = { ...connection({ _tag: "NoKey" }, unread), keyHint: null, sites: [] }
const withKey: AppState = { ...unread, sites: [] }

const syncing: AppState = {
  ...unread,
  sync: {
    _tag: "Syncing",
    startedAt: "2026-03-01T14:19:40Z",
    pages: 12,
    records: 1_200,
    expected: null,
    waiting: null,
  },
}

const paused: AppState = {
  ...syncing,
  sync: {
    _tag: "Syncing",
    startedAt: "2026-03-01T14:19:40Z",
    pages: 12,
    records: 1_200,
    expected: 2_500,
    waiting: { reason: "rate-limited", until: "2026-03-01T14:20:40Z" },
  },
}

const enteringKey = async (page: Visit): Promise<void> => {
  await page.fill("API key", "dk_live_0123456789abcdef")
  await page.click("button", "Save and test")
  await page.sees(".verdict:not(:empty)")
}

export const welcomeScenes: ReadonlyArray<Scene> = [
  welcome("address", unset, "address"),
  welcome("address-denied", unset, "address", {
    isAllowed: false,
    act: async (page) => {
      await page.fill("Service address", "api.homes.example")
      await page.click("button", "Allow and continue")
      await page.reads("did not allow")
    },
  }),
  welcome("key", withAddress, "key"),
  welcome("key-failed", withAddress, "key", {
    world: world(withAddress, { findings: missingScope, answers: { "page.setKey": withKey } }),
    act: enteringKey,
    size: [800, 960],
  }),
  welcome("key-good", withAddress, "key", {
    world: world(withAddress, { findings: allGood, answers: { "page.setKey": withKey } }),
    act: enteringKey,
    size: [800, 800],
  }),
  welcome("sites", withKey, "sites"),
  welcome("sites-one", unread, "sites"),
  welcome("sync", syncing, "sync"),
  welcome("sync-paused", paused, "sync"),
  welcome("sync-not-begun", unread, "sync", { isPictured: false }),
  welcome("sync-no-key", withAddress, "sync", { isPictured: false }),
  welcome("sync-wrong-key", connection({ _tag: "WrongKey" }, unread), "sync"),
  welcome("sync-offline", connection({ _tag: "Offline" }, unread), "sync", { isPictured: false }),
  welcome("sync-smaller", { ...smaller, index: { ...smaller.index, completedAt: null } }, "sync", {
    isPictured: false,
  }),
  welcome("done", ready, "sync"),
  welcome("done-narrow", ready, "sync", { size: [360, 740] }),
  welcome("done-unprotected", ready, "sync", { isProtected: false, isPictured: false }),
  welcome("narrow", withAddress, "key", { size: [360, 740], isPictured: false }),
  welcome("rtl", unread, "sites", { direction: "rtl" }),
]
