/**
 * The checks of a release: what is handed in at the stores, the packages as their users install them, what `pnpm dev` does, and every test in a folder
 * named `release`. They install, build, and kill processes by the dozen, so they take minutes.
 */
import { join } from "node:path"
import { make } from "@deedkit/config/vitest"
import { browserProject, inFirefox } from "./vitest.config.ts"

/** The program is built once for all files that start it. */
const globalSetup = [join(import.meta.dirname, "apps/cli/test/harness/Build.ts")]

export default make(import.meta.dirname, {
  include: ["test/**/release/*.test.ts"],
  projects: {
    "apps/cli": [
      { globalSetup },
      {
        name: "deedkit-kills",
        include: ["test/export/Resume.test.ts", "test/store/{ProfileFile,SettingsLock}.test.ts"],
        globalSetup,
        // About two minutes; 200 take five.
        env: { DEEDKIT_KILLS: process.env["DEEDKIT_KILLS"] ?? "75", DEEDKIT_PROCESSES: "20" },
      },
      {
        name: "deedkit-cases",
        include: ["test/session/AccountConflict.test.ts"],
        globalSetup,
        env: { DEEDKIT_STRIDE: "1" },
      },
    ],
    "packages/core": [
      {},
      {
        name: "@deedkit/core-cases",
        include: ["test/simulation/*.test.ts", "test/servers/randomServers.test.ts"],
        env: { DEEDKIT_CASES: "300", DEEDKIT_SEEDS: "30" },
      },
    ],
    "apps/extension": [
      { name: "@deedkit/extension", include: ["test/build/release/*.test.ts"] },
      {
        ...browserProject,
        name: "@deedkit/extension-firefox",
        // What `pnpm test` runs in Chromium alone, too.
        include: ["test/e2e/{release,dev,scenarios}/*.test.ts"],
        exclude: ["**/node_modules/**", ...inFirefox, "test/e2e/scenarios/PageKinds.test.ts"],
        provide: { browser: "firefox" },
      },
      {
        ...browserProject,
        name: "@deedkit/extension-chromium",
        include: ["test/e2e/{release,dev}/*.test.ts", "test/ui/pages/release/*.test.ts"],
        provide: { browser: "chrome" },
        sequence: { groupOrder: 1 },
      },
    ],
  },
  workers: (cores) => cores,
  timeout: 120_000,
  // What waits most starts first: a pause of a minute, then the kills.
  startsFirst: [/release\/Pause\.test/, /export\/Resume\.test/, /\/e2e\//, /ui\/pages\//],
})
