/**
 * A page in Debian's Chromium, without a window. Serves the tests that need a real browser. Where none is installed `isTested` is false, and
 * the test that asks says so; with DEEDKIT_REQUIRE_BROWSERS=1 it is true, and opening fails.
 */
import { spawn, spawnSync } from "node:child_process"

const installed = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
)
const isRequired = process.env["DEEDKIT_REQUIRE_BROWSERS"] === "1"

/** False when the tests in Chromium are to be skipped. */
export const isTested = isRequired || installed !== undefined

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** Opens the page in a browser of its own, with a profile in this folder. */
export const open = (url: string, profile: string): { readonly close: () => Promise<void> } => {
  if (installed === undefined)
    throw new Error("Chromium is not installed, and DEEDKIT_REQUIRE_BROWSERS asks for it")
  const running = spawn(installed, [...flags, `--user-data-dir=${profile}`, url], { stdio: "ignore" })
  const ended = new Promise<void>((resolve) => running.once("close", () => resolve()))
  return {
    close: async () => {
      running.kill()
      await ended
    },
  }
}
