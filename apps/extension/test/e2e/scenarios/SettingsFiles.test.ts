/** Settings files in the options, friendly and not: nothing is read that is too large, and nothing is imported before a click. */
import { expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import type { Tab } from "../browsers/Driver.ts"
import { until } from "../browsers/Driver.ts"
import { said, seen } from "../Words.ts"
import type { World } from "../World.ts"

/** Chooses a file of this text, made longer by blanks, as the browser's own window does. Gives how often files were read since. */
const choose = (tab: Tab, text: string, length = text.length): Promise<void> =>
  tab.evaluate(
    (text, length) => {
      const counted = globalThis as unknown as { filesRead?: number }
      if (counted.filesRead === undefined) {
        counted.filesRead = 0
        const read: (this: Blob) => Promise<string> = Reflect.get(Blob.prototype, "text")
        Blob.prototype.text = function (this: Blob) {
          counted.filesRead = (counted.filesRead ?? 0) + 1
          return read.call(this)
        }
      }
      const chosen = new DataTransfer()
      chosen.items.add(new File([text.padEnd(length)], "deedkit-settings.json", { type: "application/json" }))
      const input = document.querySelector<HTMLInputElement>("#transfer-file")!
      input.files = chosen.files
      input.dispatchEvent(new Event("change", { bubbles: true }))
    },
    text,
    length,
  )
const filesRead = (tab: Tab): Promise<number> =>
  tab.evaluate(() => (globalThis as unknown as { filesRead: number }).filesRead)

/** The part of the options that takes settings files. */
const openTransfer = async ({ driver }: World): Promise<Tab> => {
  const options = await driver.open(`${driver.origin}/options.html#transfer`)
  await seen(options, said("transferTake"))
  return options
}
const few = { contracts: 30 }

scenario("with a settings file", () => {
  const settings = {
    theme: "dark",
    refreshMinutes: 30,
    toolbarCount: true,
    panel: "pill",
    keyStorage: "device",
  }
  const site = { origin: "https://xn--80ak6aa92e.com", isOn: true, patterns: ["/homes/:slug"] }
  const account = { name: "Flats", baseUrl: "https://api.flats.example/rest" }
  const file = { format: "deedkit-settings", version: 1, settings, sites: [site], accounts: [account] }
  it("of 24 MB is refused by its size without being read, and the background stays free", async ({
    world,
  }) => {
    const options = await openTransfer(await world("with-index", few))
    await choose(options, JSON.stringify(file), 24_000_000)
    await seen(options, said("errorFileSizeAdvice", "500"))
    expect(await filesRead(options)).toBe(0)
  })

  it("refuses a message of 24 MB that a page sends all the same", async ({ world }) => {
    const here = await world("with-index", few)
    const options = await openTransfer(here)
    const answer = await options.evaluate(async (text) => {
      const { runtime } = (
        globalThis as unknown as {
          chrome: { runtime: { sendMessage: (sent: unknown) => Promise<unknown> } }
        }
      ).chrome
      const sent = { type: "page.importSettings", text: text.padEnd(24_000_000) }
      return (await runtime.sendMessage(sent).catch(() => null)) ?? "nothing"
    }, JSON.stringify(file))
    expect(answer).toBe("nothing")
    expect((await here.ask({ type: "page.state" })).sites.map(({ origin }) => origin)).toEqual([here.site])
  })

  it.for([
    ["nests without end", `${"[".repeat(240_000)}${"]".repeat(240_000)}`],
    ["has a member named __proto__", JSON.stringify(file).replace("{", '{"__proto__":{},')],
    ["has a key", JSON.stringify({ ...file, accounts: [{ ...account, key: "some-key" }] })],
  ] as const)("that %s is refused in words", async ([, text], { world }) => {
    const options = await openTransfer(await world("with-index", few))
    await choose(options, "{}")
    await seen(options, said("errorFileAdvice"))
    await choose(options, text)
    await until(
      "the refusal",
      () => options.evaluate(() => document.querySelector("#transfer .error-notice")?.textContent ?? ""),
      (words) => words.includes(said("errorFile")),
    )
    expect(await options.has("heading", said("transferQuestion"))).toBe(false)
  })

  it("is shown with its hosts as browsers address them, and imported when that is clicked", async ({
    world,
  }) => {
    const here = await world("with-index", few)
    const options = await openTransfer(here)
    const before = await here.ask({ type: "page.state" })
    await choose(options, JSON.stringify(file))
    const shown = await seen(options, said("transferQuestion"))
    for (const words of ["xn--80ak6aa92e.com", "Flats", account.baseUrl, said("transferForeign")]) {
      expect(shown).toContain(words)
    }
    expect(await here.ask({ type: "page.state" })).toEqual(before)
    await options.click("button", said("transferImport"))
    await seen(options, said("transferImported"))
    const after = await here.ask({ type: "page.state" })
    expect(after).toMatchObject({
      account: before.account,
      keyHint: before.keyHint,
      accounts: [{ baseUrl: before.baseUrl }, account],
      sites: [{ origin: here.site }, { ...site, isGranted: false }],
      settings,
    })
    expect(await options.evaluate(() => document.activeElement?.id)).toBe("transfer-file")
  })

  it("of a thousand sites does not keep the background busy", async ({ world }) => {
    const here = await world("with-index", few)
    const options = await openTransfer(here)
    const sites = Array.from({ length: 1_000 }, (_, at) => ({ ...site, origin: `https://s${at}.example` }))
    await choose(options, JSON.stringify({ ...file, sites }))
    await seen(options, said("transferQuestion"))
    await options.click("button", said("transferImport"))
    await seen(options, said("transferImported"))
    await options.close()
    const { sites: named } = await here.ask({ type: "page.state" })
    expect(named.length).toBeGreaterThan(1_000)
    const startedAt = performance.now()
    await here.ask({ type: "page.state" })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
