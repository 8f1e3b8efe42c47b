/** Builds the extension for all test files of a vitest project, before the first of them starts. */
import type { TestProject } from "vitest/node"
import { built } from "./Build.ts"
import * as Browsers from "./Browsers.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The browser that the project's tests drive; set in the project's configuration. */
    readonly browser: "chrome" | "firefox"
    /** Folder of the built extension; empty when the browser is not installed. */
    readonly extension: string
  }
}

export default async (project: TestProject): Promise<void> => {
  const kind = Browsers.forTarget(project.config.provide.browser ?? "chrome")
  if (!kind.isTested) console.warn(`SKIPPED: ${kind.name} is not installed, so nothing is tested in it.`)
  project.provide("extension", kind.isTested ? await built(kind.target, "e2e") : "")
}
