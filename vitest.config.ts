/**
 * The tests of `pnpm test`: about six minutes on two idle cores. What takes longer, and what is equal in both browsers, belongs to
 * `vitest.release.config.ts`.
 */
import { join } from "node:path"
import { make } from "@deedkit/config/vitest"

/** Test files that share the globals of a page, so each of them needs a worker of its own. */
const inDom = ["test/page/**/*.test.ts", "test/ui/**/*.test.ts", "test/ui/**/*.test.tsx"]
/** Test files that look at pages in Chromium. */
const pages = "test/ui/pages/*.test.ts"
/** Scenarios of what differs between browsers. */
export const inFirefox = ["BrowserUi", "FirstUse", "IndexSync", "Saved"].map(
  (name) => `test/e2e/scenarios/${name}.test.ts`,
)
/** What a project leaves out has to be said with what vitest leaves out by default. */
const installed = "**/node_modules/**"
/** Test files of `vitest.release.config.ts`. */
const release = "**/release/**"

export const browserProject = {
  globalSetup: [join(import.meta.dirname, "apps/extension/test/e2e/browsers/SharedBuild.ts")],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default make(import.meta.dirname, {
  exclude: [installed, release],
  projects: {
    "apps/extension": [
      { name: "@deedkit/extension", exclude: [installed, release, ...inDom, "test/e2e/**"] },
      {
        name: "@deedkit/extension-dom",
        include: inDom,
        exclude: [installed, release, pages],
        isolate: true,
      },
      {
        ...browserProject,
        name: "@deedkit/extension-firefox",
        include: inFirefox,
        provide: { browser: "firefox" },
      },
      {
        ...browserProject,
        name: "@deedkit/extension-chromium",
        include: ["test/e2e/scenarios/*.test.ts", pages],
        provide: { browser: "chrome" },
        // After all others: two browsers at the same time are too much for two cores.
        sequence: { groupOrder: 1 },
      },
    ],
    // The program is built once for all files that start it.
    "apps/cli": [{ globalSetup: [join(import.meta.dirname, "apps/cli/test/harness/Build.ts")] }],
  },
  // Tests of browsers and programs wait for these more than they compute.
  workers: (cores) => cores + 1,
  startsFirst: [/ui\/pages\/axe/, /\/e2e\//, /ui\/pages\//, /apps\/cli\//],
})
