/** The playground in Chromium and Firefox: a shared scenario is replayed as Node replays it, by keyboard alone, and its files hold what was read. */
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Step } from "../../playground/Replay.ts"
import { replay } from "../../playground/Replay.ts"
import * as Scenario from "../../playground/Scenario.ts"
import * as Site from "./Site.ts"

const fragments = [
  "",
  "contracts=0",
  "contracts=1&limit=1",
  "contracts=40&limit=7&seed=3",
  "contracts=250&limit=25&order=ascending",
  "contracts=130&limit=20&order=random",
  "contracts=130&limit=20&order=updated&seed=9",
  "contracts=130&limit=20&order=updated&cursor=position&fault=mutate%3Aupdate%3D2",
  "contracts=3000",
  ...Scenario.presets.map(({ fault }) => Scenario.format({ ...Scenario.initial, faults: [fault] })),
  "fault=server-error%3Arequests%3D1",
  "fault=drop%3Arequests%3D2",
  "fault=scope-missing",
  "fault=duplicate%3Acount%3D3&fault=empty-page",
]

const expected = async (fragment: string) => {
  const steps: Array<Step> = []
  const { scenario } = Scenario.parse(fragment)
  const { verdict } = await replay(scenario, (step) => steps.push(step), new AbortController().signal)
  return { verdict, steps: steps.map(({ text }) => text) }
}

const shown = async (page: Page) => ({
  verdict: await page.$eval(".verdict", ({ textContent }) => textContent),
  steps: await page.$$eval(".playground li", (all) =>
    all.map(({ textContent }) => (textContent ?? "").slice(2)),
  ),
})

const ended = ".verdict.complete, .verdict.unverified, .verdict.failed"

const inBrowser = (name: Site.Name): void => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof Site.serve>>
  beforeAll(async () => {
    site = await Site.serve()
    browser = await Site.launch(name)
  })
  afterAll(async () => {
    await browser.close()
    site.close()
  })

  const visit = async (fragment: string) => {
    const opened = await Site.open(browser)
    await opened.page.goto(`${site.url}/playground${fragment === "" ? "" : `#${fragment}`}`)
    await opened.page.waitForSelector(".playground button[type=submit]")
    return opened
  }

  it.each(fragments)("replays what was shared as %s", async (fragment) => {
    const { complaints, page } = await visit(fragment)
    await page.click(".playground button[type=submit]")
    await page.waitForSelector(ended)
    expect(await shown(page)).toEqual(await expected(fragment))
    expect(complaints).toEqual([])
    await page.close()
  })

  it("is used by keyboard: a fault is chosen, the address has it, and Enter reads", async () => {
    const { page } = await visit("contracts=120&limit=50")
    await page.focus('.playground input[name="limit"]')
    await page.keyboard.press("Tab")
    await page.keyboard.press(" ")
    await page.waitForFunction(() => location.hash.includes("rate-limit"))
    expect(new URL(page.url()).hash).toBe(
      "#contracts=120&limit=50&fault=rate-limit%3Arequests%3D2%2CretryAfter%3D1",
    )
    await page.focus('.playground input[name="limit"]')
    await page.keyboard.press("Enter")
    await page.waitForSelector(ended)
    expect((await shown(page)).steps).toContain("Waits 1 s, as the server asked")
    await page.close()
  })

  it("says what a fault is that the emulator does not have", async () => {
    const { page } = await visit("fault=latencyy")
    await page.click(".playground button[type=submit]")
    await page.waitForFunction(() => document.querySelector(".verdict")?.textContent !== "Reading…")
    expect((await shown(page)).verdict).toMatch(/latencyy.*latency/)
    await page.close()
  })

  it("runs a program that was edited, and ends one that does not end by itself", async () => {
    const { complaints, page } = await visit("contracts=60")
    const edit = (text: string) =>
      page.$eval(
        ".program textarea",
        (area, text) => {
          area.value = text
          area.dispatchEvent(new Event("input", { bubbles: true }))
        },
        text,
      )
    await page.waitForSelector(".program button.main")
    await page.click(".program button.main")
    await page.waitForFunction(
      () => document.querySelector(".program [role=status]")?.textContent === "Done.",
    )
    expect(
      (await page.$eval(".program pre", ({ textContent }) => textContent))?.split("\n").length,
    ).toBeGreaterThan(9)
    await edit("console.log('begun'); for (;;) {}")
    await page.click(".program button.main")
    await page.waitForFunction(() => document.querySelector(".program pre")?.textContent === "begun")
    await page.click(".program ::-p-text(Stop)")
    await page.waitForFunction(
      () => document.querySelector(".program [role=status]")?.textContent === "Stopped.",
    )
    await edit("await fetch('https://other.example.com/'); throw new Error('as thrown')")
    await page.click(".program button.main")
    await page.waitForFunction(
      () => document.querySelector(".program [role=status]")?.textContent === "as thrown",
    )
    expect(complaints).toEqual([])
    await page.close()
  })

  it("makes a CSV file and a workbook of what was read, in the page", async () => {
    const { complaints, page } = await visit("contracts=30")
    await page.evaluate(() => {
      const made: Array<Promise<string>> = []
      Object.assign(globalThis, { made })
      const link = URL.createObjectURL.bind(URL)
      URL.createObjectURL = (file: Blob) => {
        made.push(file.arrayBuffer().then((bytes) => String.fromCodePoint(...new Uint8Array(bytes))))
        return link(file)
      }
      HTMLAnchorElement.prototype.click = () => {}
    })
    const madeBy = async (label: string): Promise<string> => {
      const before = Number(await page.evaluate("made.length"))
      await page.click(`::-p-text(${label})`)
      await page.waitForFunction(`made.length > ${before}`)
      return String(await page.evaluate("made.at(-1)"))
    }
    await page.click(".playground button[type=submit]")
    await page.waitForSelector(ended)
    const csv = await madeBy("Download CSV")
    expect(csv.trimEnd().split("\r\n")).toHaveLength(31)
    const workbook = await madeBy("Download workbook")
    expect(workbook.slice(0, 4)).toBe("PK\u0003\u0004")
    expect(workbook).toContain("xl/worksheets/sheet1.xml")
    expect(complaints).toEqual([])
    await page.close()
  })
}

for (const name of ["chrome", "firefox"] as const)
  describe.runIf(Site.isTested(name))(`the playground in ${name}`, () => {
    inBrowser(name)
  })
