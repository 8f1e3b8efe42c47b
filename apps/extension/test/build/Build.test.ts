/** The extension as users get it, built once for each browser. */
import { beforeAll, describe } from "vitest"
import { built as builtFor } from "../e2e/browsers/Build.ts"
import { budgetsHold } from "./Budgets.ts"
import { manifests } from "./Manifests.ts"
import { scripts } from "./Scripts.ts"

describe.each([{ browser: "chrome" as const }, { browser: "firefox" as const }])(
  "the extension for $browser",
  ({ browser }) => {
    let folder = ""
    beforeAll(async () => {
      folder = await builtFor(browser, "production")
    }, 120_000)

    const built = { browser, folder: () => folder }
    manifests(built)
    scripts(built)
    budgetsHold(built)
  },
)
