/**
 * Everything that an end-to-end test needs at once: an emulator with its site, both behind ports, a browser with the extension, and a page
 * of the extension's origin from which the test says what its own pages say.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make as makeEmulator } from "@deedkit/emulator"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { listen, listenSite } from "@deedkit/emulator/node"
import type { AppState } from "../../src/messages/AppState.ts"
import type { PageAnswers } from "../../src/messages/PageMessage.ts"
import type { PageRequest } from "../../src/messages/Requests.ts"
import type { BrowserKind } from "./browsers/Browsers.ts"
import { testPage } from "./browsers/Build.ts"
import { until } from "./browsers/Driver.ts"
import type { Driver, Tab } from "./browsers/Driver.ts"

export interface World {
  readonly emulator: Emulator
  /** Address of the service, without `/v1/`. */
  readonly service: string
  /** Address of the listing site; it is its origin, too. */
  readonly site: string
  readonly driver: Driver
  /** Folder of the browser's profile. */
  readonly profile: string
  /** An empty page of the extension; another one after an update. */
  readonly page: Tab
  /** Says something to the background as the extension's own pages do. */
  readonly ask: <R extends PageRequest>(request: R) => Promise<PageAnswers[R["type"]]>
  /** The state, once it is as wanted. */
  readonly stateWhen: (
    what: string,
    isWanted: (state: AppState) => boolean,
    withinMillis?: number,
  ) => Promise<AppState>
  /** Updates the extension to the one of another folder. */
  readonly update: (extension: string) => Promise<void>
  /** Sets address and key, and names the site: the first sync begins. */
  readonly begin: () => Promise<void>
  /** Waits until nothing is under way and a sync has been complete. */
  readonly synced: () => Promise<AppState>
  /** Begins, and waits until the first sync is complete. */
  readonly setUp: () => Promise<AppState>
  readonly close: () => Promise<void>
}

/** A browser that runs, and the folder of its profile. */
export interface Running {
  readonly driver: Driver
  readonly profile: string
  /** Ends the browser and removes its profile. */
  readonly end: () => Promise<void>
}

/** Starts a browser without the extension. */
export const launch = async (kind: BrowserKind): Promise<Running> => {
  const profile = await mkdtemp(join(tmpdir(), "deedkit-profile-"))
  const driver = await kind.launch({ profile })
  const end = async () => {
    await driver.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  return { driver, profile, end }
}

/** A world in a browser that runs. Closing it takes the extension out and leaves the browser. */
export const within = async (
  { driver, profile }: Running,
  extension: string,
  options: EmulatorOptions = {},
): Promise<World> => {
  const emulator = makeEmulator(options)
  const service = await listen(emulator)
  const site = await listenSite(emulator)
  await driver.install(extension)
  const openPage = () => driver.open(`${driver.origin}/${testPage}`)
  let page = await openPage()

  const ask: World["ask"] = (request) =>
    page.evaluate(
      (sent) =>
        (
          globalThis as unknown as {
            chrome: { runtime: { sendMessage: (message: unknown) => Promise<never> } }
          }
        ).chrome.runtime.sendMessage(sent),
      request,
    )
  const stateWhen: World["stateWhen"] = (what, isWanted, withinMillis) =>
    until(what, () => ask({ type: "page.state" }), isWanted, withinMillis)
  const begin: World["begin"] = async () => {
    await ask({ type: "page.setAddress", baseUrl: service.url })
    await ask({ type: "page.setKey", key: emulator.apiKey })
    await ask({ type: "page.addSite", origin: site.url })
  }
  const synced: World["synced"] = () =>
    stateWhen(
      "a complete sync",
      ({ index, sync }) => index.completedAt !== null && sync._tag === "Idle",
      120_000,
    )
  return {
    emulator,
    service: service.url,
    site: site.url,
    driver,
    profile,
    get page() {
      return page
    },
    ask,
    stateWhen,
    update: async (newer) => {
      await driver.update(newer)
      page = await openPage()
    },
    begin,
    synced,
    setUp: async () => {
      await begin()
      return synced()
    },
    close: async () => {
      try {
        await driver.uninstall()
      } finally {
        await service.close()
        await site.close()
      }
    },
  }
}

/** A world in a browser and a profile of its own. */
export const make = async (
  kind: BrowserKind,
  extension: string,
  options: EmulatorOptions = {},
): Promise<World> => {
  const running = await launch(kind)
  const world = await within(running, extension, options)
  const { close } = world
  return Object.create(world, {
    close: {
      value: async () => {
        await close()
        await running.end()
      },
    },
  })
}
