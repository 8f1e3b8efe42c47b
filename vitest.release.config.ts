/**
 * The checks of a release: what is handed in at the stores, the packages as their users install them, and what `pnpm dev` makes.
 * They install, build, and kill processes by the dozen, so they take minutes.
 */
import { join } from "node:path"
import { make } from "@deedkit/config/vitest"

export default make(import.meta.dirname, {
  projects: {
    "apps/cli": [
      {
        include: ["test/program/release/*.test.ts"],
        globalSetup: [join(import.meta.dirname, "apps/cli/test/harness/Build.ts")],
      },
      {
        name: "deedkit-kills",
        include: ["test/export/Resume.test.ts"],
        globalSetup: [join(import.meta.dirname, "apps/cli/test/harness/Build.ts")],
        // About two minutes; 200 take five.
        env: { DEEDKIT_KILLS: process.env["DEEDKIT_KILLS"] ?? "75" },
      },
    ],
    "apps/extension": [
      { name: "@deedkit/extension", include: ["test/build/release/*.test.ts"] },
      ...(["chrome", "firefox"] as const).map((browser) => ({
        name: `@deedkit/extension-dev-${browser}`,
        include: ["test/e2e/dev/*.test.ts"],
        provide: { browser },
        testTimeout: 120_000,
        hookTimeout: 120_000,
      })),
    ],
    "packages/core": [{ include: ["test/platforms/release/*.test.ts"] }],
    "packages/sync": [{ include: ["test/release/*.test.ts"] }],
    "packages/sync-postgres": [{ include: ["test/release/*.test.ts"] }],
    "tooling/checks": [{ include: ["test/release/*.test.ts"] }],
  },
  folders: [
    "apps/cli",
    "apps/extension",
    "packages/core",
    "packages/sync",
    "packages/sync-postgres",
    "tooling/checks",
  ],
})
