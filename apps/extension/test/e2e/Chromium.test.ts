/** The built extension in Chromium, without a window. */
import { dirname } from "node:path"
import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe } from "vitest"
import * as Browsers from "./Browsers.ts"
import { attack } from "./Attack.ts"
import { build } from "./Build.ts"
import { habits } from "./Habits.ts"
import { hostileFields } from "./HostileFields.ts"
import { keyboard } from "./Keyboard.ts"
import { listingPages } from "./ListingPages.ts"
import { locks } from "./Locks.ts"
import { saved } from "./Saved.ts"
import { settingsFiles } from "./SettingsFiles.ts"
import { troubles } from "./Troubles.ts"
import { updates } from "./Update.ts"
import { wholeWay } from "./WholeWay.ts"
import { walks } from "./IndexWalks.ts"

const kind = Browsers.chromium()
let folder = ""

describe.runIf(kind.isTested)("in Chromium", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    folder = await build(kind.target)
  }, 120_000)
  afterAll(() => rm(dirname(folder), { recursive: true, force: true }))

  walks(kind, () => folder)
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
