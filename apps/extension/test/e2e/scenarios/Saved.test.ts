/**
 * What is saved, and what of it leaves the browser: in each browser, with its own files and its own requests. Firefox asks its user whether data
 * is protected, who says yes here; Chromium decides by itself, and says no to an extension that was just installed.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect } from "vitest"
import { it, kind, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import { said, seen } from "../Words.ts"

/** The files of a profile that hold a text, in one of the two ways in which browsers write texts. */
const filesWith = async (profile: string, text: string): Promise<ReadonlyArray<string>> => {
  const files = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  )
  const found = await Promise.all(
    files.map(async ({ name, parentPath }) => {
      // Browsers remove files of their own at any time.
      const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0))
      return bytes.includes(text) || bytes.includes(Buffer.from(text, "utf16le")) ? [name] : []
    }),
  )
  return found.flat()
}

scenario("what is saved", () => {
  // Nothing in it comes twice: Firefox packs what it writes.
  const unit = "Qz7vKw2pXr9tLm4s"
  it("is protected once the first read is complete, where the browser agrees, and the options say what it is", async ({
    world,
  }) => {
    const { driver, page, setUp } = await world("new", { contracts: 30 })
    const isProtected = (): Promise<boolean> => page.evaluate(() => navigator.storage.persisted())
    const before = await driver.open(`${driver.origin}/options.html#contracts`)
    await seen(before, said("protectNo"))
    expect(await isProtected()).toBe(false)
    await before.close()
    await setUp()
    const steps = await driver.open(`${driver.origin}/welcome.html#sync`)
    await seen(steps, said("welcomeClose"))
    // The browser is asked while that is shown, and the options look once.
    await until("the browser's answer", isProtected, (is) => is === (kind.name === "Firefox"))
    const options = await driver.open(`${driver.origin}/options.html#contracts`)
    await seen(options, said(kind.name === "Firefox" ? "protectYes" : "protectNo"))
    expect(await isProtected()).toBe(kind.name === "Firefox")
  })

  it("holds the key in no file of the profile as it is, and contracts in clear", async ({ ownWorld }) => {
    const { emulator, profile, setUp } = await ownWorld({ contracts: 30 })
    emulator.store.insert({ unit_label: unit })
    await setUp()
    // Browsers write when they like.
    await until(
      "a file with a contract",
      () => filesWith(profile, unit),
      (files) => files.length > 0,
    )
    expect(await filesWith(profile, emulator.apiKey)).toEqual([])
  })

  it("is asked for with the key alone: no cookie, no referrer, no name of a site", async ({ world }) => {
    const { ask, driver, emulator, service, setUp, site } = await world("new", { contracts: 30 })
    const visit = await driver.open(`${service}/v1/me/`)
    await visit.evaluate(() => {
      document.cookie = "deedkit=visited; path=/"
    })
    await visit.close()
    await setUp()
    emulator.journal.clear()
    await ask({ type: "page.refresh", id: emulator.store.contracts[0]!.id })
    await ask({ type: "page.sync" })
    // The sync is answered when it has begun.
    await expect.poll(() => emulator.journal.entries.length, { timeout: 30_000 }).toBeGreaterThan(1)
    for (const { headers, method, path, query } of emulator.journal.entries) {
      expect([method, headers["cookie"], headers["referer"]]).toEqual(["GET", undefined, undefined])
      expect(headers["authorization"]).toBe("present")
      expect(JSON.stringify([path, query, { ...headers, host: "" }])).not.toContain(new URL(site).host)
    }
  })
})
