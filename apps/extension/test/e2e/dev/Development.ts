/**
 * What `pnpm dev` opens: a stand-in for the service with sample contracts, its listing site, and a browser with the extension, which can be built
 * again and reloaded when its sources change.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { make } from "@deedkit/emulator"
import { listen, listenSite } from "@deedkit/emulator/node"
import { packages } from "../../../Sources.ts"
import type { BrowserKind } from "../browsers/Browsers.ts"
import { build } from "../browsers/Build.ts"
import type { Driver } from "../browsers/Driver.ts"
import { said } from "../Words.ts"
import * as Changes from "./Changes.ts"

const root = join(import.meta.dirname, "..", "..", "..", "..", "..")
const sources = [
  ...["src", "public"].map((folder) => join(root, "apps", "extension", folder)),
  ...packages.map((name) => join(root, "packages", name, "src")),
]

export interface DevelopmentOptions {
  readonly kind: BrowserKind
  readonly isVisible: boolean
  /** Ends the build and the waiting for changes, which then reject. */
  readonly signal: AbortSignal
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

export interface Development {
  readonly driver: Driver
  /** Waits for sources that change, then builds and reloads the extension. A build that fails is printed. */
  readonly next: () => Promise<void>
}

/** Puts a build in the place of the one before. The browser closes the extension's own tabs with that one, so they are opened again. */
const reload = async (driver: Driver, built: string): Promise<void> => {
  const own = (await driver.addresses()).filter((address) => address.startsWith(driver.origin))
  // Without any tab the browser would end.
  const blank = own.length === 0 ? null : await driver.open("about:blank")
  await driver.update(built)
  for (const address of own) await driver.open(address)
  await blank?.close()
}

/** Opens everything, and prints what to enter and click. `ends` closes it. */
export const open = async (
  ends: AsyncDisposableStack,
  { isVisible, kind, print, printError, signal }: DevelopmentOptions,
): Promise<Development> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-dev-"))
  ends.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const emulator = make({ contracts: 2_500 })
  const service = await listen(emulator)
  ends.defer(service.close)
  const site = await listenSite(emulator)
  ends.defer(site.close)
  const profile = join(folder, "profile")
  const driver = await kind.launch({ profile, isVisible, endsOnInterrupt: false }).catch((cause: Error) => {
    throw new Error(`${cause.message}

Install it, choose the other browser by --firefox or without it, or add --headless where there is no screen.`)
  })
  ends.defer(driver.close)

  /** Builds into a folder of this name, and gives the build to the browser. Whether that worked; it says why not. */
  const load = async (name: string, give: (built: string) => Promise<void>): Promise<boolean> => {
    try {
      await give(await build(kind.target, "development", { folder: join(folder, name), signal }))
      return true
    } catch (cause) {
      // Ctrl-C ends the build as well, which can be heard of first.
      await wait(100)
      signal.throwIfAborted()
      printError(`${(cause as Error).message}\n\nThe next change is built again.`)
      return false
    }
  }
  const changes = Changes.watch(sources, signal)
  const changed = async (): Promise<void> => {
    const paths = (await changes.next()).map((path) => relative(root, path))
    print(`Changed: ${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ", and more" : ""}`)
  }

  print(`Building the extension for ${kind.name}.`)
  while (!(await load("installed", driver.install))) await changed()
  await driver.open(`${site.url}/`)
  const { noScopes, revoked } = emulator.secrets
  print(`${kind.name} is open, with a listing site in one tab and the extension's set-up in the other.

  API address    ${service.url}
  API key        ${emulator.apiKey}
  Listing site   ${site.url}

In the set-up, paste the address and click "${said("addressAllow")}", paste the key and click "${said("keyTry")}" and "${said("welcomeNext")}",
paste the site and click "${said("siteAllow")}" and "${said("welcomeNext")}". The listing site then shows a badge at links to listings with contracts.
Other keys: ${noScopes} (no scopes), ${revoked} (revoked).

A change in apps/extension or in packages/{${packages.join(",")}} is built and reloaded. Ctrl-C ends everything.`)
  return {
    driver,
    next: async () => {
      await changed()
      if (await load("newer", (newer) => reload(driver, newer))) print("Reloaded the extension.")
    },
  }
}
