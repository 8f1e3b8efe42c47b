/** The built extension in Chromium, without a window. */
import { dirname } from "node:path"
import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe } from "vitest"
import * as Browsers from "./browsers/Browsers.ts"
import { attack } from "./scenarios/Attack.ts"
import { build } from "./browsers/Build.ts"
import { habits } from "./scenarios/BrowserUi.ts"
import { hostileFields } from "./scenarios/HostileFields.ts"
import { keyboard } from "./scenarios/Keyboard.ts"
import { listingPages } from "./scenarios/ListingPages.ts"
import { locks } from "./scenarios/Locks.ts"
import { saved } from "./Saved.ts"
import { settingsFiles } from "./scenarios/SettingsFiles.ts"
import { troubles } from "./scenarios/Failures.ts"
import { updates } from "./scenarios/Update.ts"
import { wholeWay } from "./scenarios/FirstUse.ts"
import { syncs } from "./scenarios/IndexSync.ts"

const kind = Browsers.chromium()
let folder = ""

describe.runIf(kind.isTested)("in Chromium", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    folder = await build(kind.target)
  }, 120_000)
  afterAll(() => rm(dirname(folder), { recursive: true, force: true }))

  syncs(kind, () => folder)
  listingPages(kind, () => folder)
  attack(kind, () => folder)
  hostileFields(kind, () => folder)
  wholeWay(kind, () => folder)
  troubles(kind, () => folder)
  locks(kind, () => folder)
  settingsFiles(kind, () => folder)
  saved(kind, () => folder)
  habits(kind, () => folder)
  keyboard(kind, () => folder)
  updates(kind, () => folder)
})
