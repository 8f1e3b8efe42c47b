/**
 * Tests in the browser of the vitest project. Tests that leave a world as they found it share one, `const world = shared()`; another test enters
 * its own, `const { ask, site } = await world("with-index")`. So each test runs alone and in any order. One browser serves all files of a worker;
 * between two worlds the extension is uninstalled, with everything that it stored.
 */
import { afterAll, afterEach, describe, inject, test } from "vitest"
import type { EmulatorOptions } from "@deedkit/emulator"
import * as Browsers from "./browsers/Browsers.ts"
import type { Driver, Tab } from "./browsers/Driver.ts"
import * as World from "./World.ts"

/** `new` is a fresh installation; `with-index` has address, key and site, and a complete index. */
type Start = "new" | "with-index"

/** The browser of this project. */
export const kind = Browsers.forTarget(inject("browser"))

export const extension = inject("extension")

const closeWithinMillis = 15_000

/** Fails when the browser does not answer in time. */
const inTime = async (closed: Promise<void>): Promise<void> => {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => deadline.reject(new Error(`the browser did not close its world within ${closeWithinMillis} ms`)),
    closeWithinMillis,
  )
  await Promise.race([closed, deadline.promise]).finally(() => clearTimeout(timer))
}

/** Enters a world that several tests share, in the worker's browser. The folder is that of the extension; the built one unless said. */
type Enter = (options?: EmulatorOptions, folder?: string) => Promise<World.World>

export const it = test
  .extend("enter", { scope: "worker" }, async ({}, { onCleanup }): Promise<Enter> => {
    let running: Promise<World.Running> | null = null
    const end = async () => {
      const ended = await running
      running = null
      await ended?.end()
    }
    onCleanup(end)
    /** A browser that does not do as it is told is ended, and the next test has another one. */
    const orEnd = async <A>(act: () => Promise<A>): Promise<A> => {
      try {
        return await act()
      } catch (error) {
        await end()
        throw error
      }
    }
    return async (options, folder = extension) => {
      running ??= World.launch(kind)
      const browser = await running
      const world = await orEnd(() => World.within(browser, folder, options))
      return Object.create(world, { close: { value: () => orEnd(() => inTime(world.close())) } })
    }
  })
  /** Enters a world of the test's own, in the worker's browser. */
  .extend("world", ({ enter }, { onCleanup }) => {
    const entered: Array<World.World> = []
    onCleanup(async () => {
      for (const world of entered) await world.close()
    })
    return async (
      start: Start,
      options: EmulatorOptions = { contracts: 300 },
      folder?: string,
    ): Promise<World.World> => {
      const world = await enter(options, folder)
      entered.push(world)
      if (start === "with-index") await world.setUp()
      return world
    }
  })
  /** Enters a world in a browser and a profile of its own. */
  .extend("ownWorld", ({}, { onCleanup }) => {
    const entered: Array<World.World> = []
    onCleanup(async () => {
      for (const world of entered) await world.close()
    })
    return async (options: EmulatorOptions = {}, folder = extension): Promise<World.World> => {
      const world = await World.make(kind, folder, options)
      entered.push(world)
      return world
    }
  })

/** The driver with a list of the tabs that it gave. */
const noting = (driver: Driver, tabs: Array<Tab>): Driver => {
  const noted =
    (give: (url: string) => Promise<Tab>) =>
    async (url: string): Promise<Tab> => {
      const tab = await give(url)
      tabs.push(tab)
      return tab
    }
  return Object.create(driver, {
    open: { value: noted(driver.open) },
    tabAt: { value: noted(driver.tabAt) },
  })
}

/**
 * One world with a complete index for all tests of a scenario: setting one up takes longer than most tests. A test that changes something changes it
 * back. After each test its tabs are closed, and the service's faults and journal are cleared.
 */
export const shared = (options: EmulatorOptions = { contracts: 300 }): (() => World.World) => {
  let world: World.World | null = null
  const tabs: Array<Tab> = []
  it.beforeAll(async ({ enter }) => {
    const entered = await enter(options)
    world = Object.create(entered, { driver: { value: noting(entered.driver, tabs) } }) as World.World
    await world.setUp()
  }, 180_000)
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
    world?.emulator.faults.clear()
    world?.emulator.journal.clear()
  })
  afterAll(() => world?.close())
  return () => {
    if (world === null) throw new Error("the world is entered before the first test of its scenario")
    return world
  }
}

/** A scenario: its tests run where the browser is installed. */
export const scenario = (name: string, tests: () => void): void => {
  describe.runIf(kind.isTested)(`${name}, in ${kind.name}`, { timeout: 120_000 }, () => {
    tests()
  })
}
