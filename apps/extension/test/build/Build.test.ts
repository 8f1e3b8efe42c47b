/** The extension as users get it, built once for each browser. */
import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import { afterAll, beforeAll, describe } from "vitest"
import { build } from "../e2e/browsers/Build.ts"
import { budgetsHold } from "./Budgets.ts"
import { manifests } from "./Manifests.ts"
import { scripts } from "./Scripts.ts"

describe.each([{ browser: "chrome" as const }, { browser: "firefox" as const }])(
  "the extension for $browser",
  ({ browser }) => {
    let folder = ""
    beforeAll(async () => {
      folder = await build(browser, "production")
    }, 120_000)
    afterAll(() => rm(dirname(folder), { recursive: true, force: true }))

    const built = { browser, folder: () => folder }
    manifests(built)
    scripts(built)
    budgetsHold(built)
  },
)
