/**
 * Builds the extension as the tests need it, into a folder of its own. In the mode that may reach loopback addresses there is an empty page
 * beside the extension's own ones, from which a test speaks as they do.
 */
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawn } from "node:child_process"
import { once } from "node:events"

const root = join(import.meta.dirname, "..", "..", "..")

/** The page that tests speak from. */
export const testPage = "test.html"

/** `e2e` may reach loopback addresses; `production` is what users get. */
export type Mode = "e2e" | "production"

/** The program that builds; its arguments are the browser, the mode and the folder. */
const program = `
import { build } from "wxt"
const [browser, mode, outDir] = process.argv.slice(1)
await build({ root: process.cwd(), mode, browser, outDir })
`

/** Builds for a browser; gives the folder of the extension. */
export const build = async (browser: "chrome" | "firefox", mode: Mode = "e2e"): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `deedkit-${browser}-`))
  const command = ["--conditions=@deedkit/source", "--input-type=module", "-e", program]
  const child = spawn(process.execPath, [...command, browser, mode, folder], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  })
  let said = ""
  child.stdout.on("data", (text) => (said += String(text)))
  child.stderr.on("data", (text) => (said += String(text)))
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`the extension does not build for ${browser}:\n${said}`)
  const extension = join(folder, mode === "e2e" ? `${browser}-mv3-e2e` : `${browser}-mv3`)
  if (mode === "e2e") await writeFile(join(extension, testPage), "<!doctype html><title>Test</title>")
  return extension
}
