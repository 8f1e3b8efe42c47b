/**
 * Builds the extension as the tests need it, into a folder of its own. In the mode that may reach loopback addresses there is an empty page
 * beside the extension's own ones, from which a test speaks as they do.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/** What a build is made of, from the workspace on. */
const sources = [
  "apps/extension/*.{json,ts}",
  "apps/extension/{public,src}/**",
  "packages/*/package.json",
  "packages/*/src/**",
  "pnpm-lock.yaml",
  "tsconfig.base.json",
]

/** The same for the same sources and version of Node. */
const hashOfSources = async (): Promise<string> => {
  const workspace = join(root, "..", "..")
  const paths: Array<string> = []
  for await (const entry of glob(sources, { cwd: workspace, withFileTypes: true }))
    if (entry.isFile()) paths.push(join(entry.parentPath, entry.name))
  const hash = createHash("sha256").update(process.version)
  for (const path of paths.toSorted()) hash.update(path).update(await readFile(path))
  return hash.digest("hex").slice(0, 16)
}

const oldMillis = 86_400_000

/** The same as `build`, but made only once for the same sources. Nobody may change the folder. */
export const built = async (browser: "chrome" | "firefox", mode: Mode): Promise<string> => {
  const cache = join(root, "node_modules", ".cache", "builds")
  const name = `${browser}-${mode}-${await hashOfSources()}`
  if (!existsSync(join(cache, name))) {
    await mkdir(cache, { recursive: true })
    const folder = await mkdtemp(join(cache, "new-"))
    await build(browser, mode, { folder })
    // Another process may have made the same one meanwhile.
    await rename(folder, join(cache, name)).catch(() => rm(folder, { recursive: true }))
    for (const other of await readdir(cache)) {
      const { mtimeMs } = await stat(join(cache, other))
      if (Date.now() - mtimeMs > oldMillis) await rm(join(cache, other), { recursive: true, force: true })
    }
  }
  return join(cache, name, `${browser}-mv3${suffixes[mode]}`)
}
