/**
 * What each browser does when it is asked to protect what is saved: Firefox asks its user, who says yes here; Chromium decides by itself, and
 * says no to an extension that was just installed.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BrowserKind } from "./Browsers.ts"
import { said, seen } from "./Words.ts"
import * as World from "./World.ts"

export const protection = (kind: BrowserKind, extension: () => string): void => {
  describe("what is saved", () => {
    let world: World.World
    beforeAll(async () => {
      world = await World.make(kind, extension(), { contracts: 30 })
    }, 120_000)
    afterAll(() => world.close())

    it("is protected once the first read is complete, where the browser agrees, and the options say what it is", async () => {
      const { driver, setUp } = world
      const isProtected = (): Promise<boolean> => world.page.evaluate(() => navigator.storage.persisted())
      const before = await driver.open(`${driver.origin}/options.html#contracts`)
      await seen(before, said("protectNo"))
      expect(await isProtected()).toBe(false)
      await before.close()
      await setUp()
      const steps = await driver.open(`${driver.origin}/welcome.html#walk`)
      await seen(steps, said("welcomeClose"))
      const options = await driver.open(`${driver.origin}/options.html#contracts`)
      await seen(options, said(kind.name === "Firefox" ? "protectYes" : "protectNo"))
      expect(await isProtected()).toBe(kind.name === "Firefox")
      await options.close()
      await steps.close()
    })
  })
}
