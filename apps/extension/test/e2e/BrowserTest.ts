/**
 * Tests in the browser of the vitest project. A test enters a world in one call, `const { ask, site } = await world("with-index")`, which no
 * other test shares, so each test runs alone and in any order. One browser serves all files of a worker; between two worlds the extension
 * is taken out, with everything that it stored.
 */
import { describe, inject, test } from "vitest"
import type { EmulatorOptions } from "@deedkit/emulator"
import * as Browsers from "./browsers/Browsers.ts"
import * as World from "./World.ts"

/** `new` is a fresh installation; `with-index` has address, key and site, and a complete index. */
type Start = "new" | "with-index"

/** The browser of this project. */
export const kind = Browsers.forTarget(inject("browser"))

export const extension = inject("extension")

export const it = test
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }): Promise<World.Running> => {
    const running = await World.launch(kind)
    onCleanup(running.end)
    return running
  })
  /** Enters a world in the worker's browser. */
  .extend("world", ({ browser }, { onCleanup }) => {
    const entered: Array<World.World> = []
    onCleanup(async () => {
      for (const world of entered) await world.close()
    })
    return async (start: Start, options: EmulatorOptions = { contracts: 300 }): Promise<World.World> => {
      const world = await World.within(browser, extension, options)
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

/** A scenario: its tests run where the browser is installed. */
export const scenario = (name: string, tests: () => void): void => {
  describe.runIf(kind.isTested)(`${name}, in ${kind.name}`, { timeout: 120_000 }, () => {
    tests()
  })
}
