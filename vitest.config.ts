import { join } from "node:path"
import { make } from "@deedkit/config/vitest"

/** Test files that share the globals of a page, so each of them needs a worker of its own. */
const inDom = ["test/page/**/*.test.ts", "test/ui/**/*.test.ts", "test/ui/**/*.test.tsx"]
/** Test files that drive a browser. */
const inBrowser = ["test/e2e/scenarios/**/*.test.ts"]
/** Test files that look at pages in Chromium. */
const inChromium = ["test/ui/pages/*.test.ts"]
/** Test files of `vitest.release.config.ts`. */
const release = ["test/build/release/*.test.ts", "test/e2e/dev/*.test.ts"]
/** What a project leaves out has to be said with what vitest leaves out by default. */
const installed = "**/node_modules/**"

const browserProject = {
  globalSetup: [join(import.meta.dirname, "apps/extension/test/e2e/browsers/SharedBuild.ts")],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default make(import.meta.dirname, {
  projects: {
    "apps/extension": [
      { name: "@deedkit/extension", exclude: [installed, ...inDom, ...inBrowser, ...release] },
      { name: "@deedkit/extension-dom", include: inDom, exclude: [installed, ...inChromium], isolate: true },
      // One project for each browser, so that both run at the same time.
      {
        ...browserProject,
        name: "@deedkit/extension-chromium",
        include: [...inBrowser, ...inChromium],
        provide: { browser: "chrome" },
      },
      {
        ...browserProject,
        name: "@deedkit/extension-firefox",
        include: inBrowser,
        provide: { browser: "firefox" },
      },
    ],
    // The program is built once for all files that start it.
    "apps/cli": [
      {
        exclude: [installed, "test/program/release/*.test.ts"],
        globalSetup: [join(import.meta.dirname, "apps/cli/test/harness/Build.ts")],
      },
    ],
    "packages/core": [{ exclude: [installed, "test/platforms/release/*.test.ts"] }],
    "packages/sync": [{ exclude: [installed, "test/release/*.test.ts"] }],
    "packages/sync-postgres": [{ exclude: [installed, "test/release/*.test.ts"] }],
    "tooling/checks": [{ exclude: [installed, "test/release/*.test.ts"] }],
  },
  // Tests of browsers and programs wait for these more than they compute.
  workers: (cores) => cores + 1,
  // What waits most starts first: a pause of a minute, then the browsers.
  startsFirst: [
    /e2e\/scenarios\/Pause\.test/,
    /e2e\/scenarios\/Exports\.test/,
    /\/e2e\//,
    /ui\/pages\//,
    /apps\/cli\//,
  ],
})
