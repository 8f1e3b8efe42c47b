/**
 * The settings of every test in the workspace: one project a folder, sources instead of builds.
 * The `@deedkit/source` condition makes imports between packages resolve to `src`, so that no test needs a build.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ViteUserConfig } from "vitest/config"

const conditions = ["@deedkit/source", "node", "import", "default"]

/**
 * Every workspace folder that holds a `test` folder, as a vitest project named like its package. Its `test/globalSetup.ts`, if there is one,
 * runs once before its tests.
 */
export const projects = (root: string) =>
  ["packages", "apps", "tooling"].flatMap((room) =>
    readdirSync(join(root, room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, room, entry.name)).includes("test"))
      .map((entry) => {
        const folder = join(root, room, entry.name)
        const manifest: { name: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
        return {
          extends: true as const,
          root: folder,
          test: {
            name: manifest.name,
            include: ["test/**/*.test.ts"],
            globalSetup: [join(folder, "test", "globalSetup.ts")].filter((path) => existsSync(path)),
          },
        }
      }),
  )

/** The root configuration; `vitest.config.ts` at the top is its only user. */
export const make = (root: string): ViteUserConfig => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { projects: projects(root), testTimeout: 30_000, hookTimeout: 30_000 },
})
