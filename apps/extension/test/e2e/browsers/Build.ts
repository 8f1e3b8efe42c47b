/**
 * Builds the extension as the tests need it, into a folder of its own. In the mode that may reach loopback addresses there is an empty page
 * beside the extension's own ones, from which a test speaks as they do.
 */
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { stripVTControlCharacters } from "node:util"

const root = join(import.meta.dirname, "..", "..", "..")

/** The page that tests speak from. */
export const testPage = "test.html"

/** What WXT adds to the name of the folder in each mode. */
const suffixes = { e2e: "-e2e", development: "-dev", production: "" }

/** `e2e` may reach loopback addresses; so may `development`, which can be read in the browser's tools; `production` is what users get. */
export type Mode = keyof typeof suffixes

export interface BuildOptions {
  /** Default: a new one. */
  readonly folder?: string
  /** Ends the build, which then rejects. */
  readonly signal?: AbortSignal
}

/** The program that builds; its arguments are the browser, the mode and the folder. It sends why it could not. */
const program = `
import { build } from "wxt"
const [browser, mode, outDir] = process.argv.slice(1)
await build({ root: process.cwd(), mode, browser, outDir }).catch((error) => {
  let reason = error
  while (reason.cause instanceof Error) reason = reason.cause
  process.send(String(reason.message), () => process.exit(1))
})
`

/** Builds for a browser; gives the folder of the extension, which is in the one of the options. */
export const build = async (
  browser: "chrome" | "firefox",
  mode: Mode = "e2e",
  options: BuildOptions = {},
): Promise<string> => {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), `deedkit-${browser}-`)))
  const command = ["--conditions=@deedkit/source", "--input-type=module", "-e", program]
  const child = spawn(process.execPath, [...command, browser, mode, folder], {
    cwd: root,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, NODE_ENV: mode === "development" ? mode : "production" },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  let reason = "its process ended"
  child.on("message", (sent) => {
    if (typeof sent === "string") reason = stripVTControlCharacters(sent).trim()
  })
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`The extension does not build for ${browser}: ${reason}`)
  const extension = join(folder, `${browser}-mv3${suffixes[mode]}`)
  if (mode === "e2e") await writeFile(join(extension, testPage), "<!doctype html><title>Test</title>")
  return extension
}
