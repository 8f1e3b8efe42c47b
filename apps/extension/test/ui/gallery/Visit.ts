/**
 * A page of the gallery, and what its users do on it. Buttons are found by their whole accessible name, fields by a part of their label. What is
 * waited for comes within seconds, or the step fails with what the page says instead.
 */
import type { CDPSession, Page } from "puppeteer-core"
import { until } from "../../e2e/browsers/Driver.ts"
import type { Tab } from "../../e2e/browsers/Driver.ts"
import * as PuppeteerTab from "../../e2e/browsers/PuppeteerTab.ts"

export type Look = "light" | "dark"

export interface Visit extends Pick<Tab, "click" | "evaluate" | "fill" | "press" | "run"> {
  /** Chooses a box or a circle by a part of its label, or a value of a list. */
  readonly choose: (label: string, value?: string) => Promise<void>
  /** Unfolds the first part whose summary has these words. */
  readonly unfold: (words: string) => Promise<void>
  /** Gives a file to the field with a part of this label. */
  readonly attach: (label: string, name: string, text: string) => Promise<void>
  /** Waits for so many elements that are drawn. */
  readonly sees: (selector: string, count?: number) => Promise<void>
  /** Waits for words. */
  readonly reads: (words: string | RegExp) => Promise<void>
  /** Brings the first element of a selector to an edge of the window. */
  readonly bring: (selector: string, block?: ScrollLogicalPosition) => Promise<void>
  /** Brings words to the middle of the window. */
  readonly bringWords: (words: string) => Promise<void>
  /** Brings the part with this heading to the upper edge. */
  readonly bringPart: (heading: string) => Promise<void>
  /** Shows the page in light or dark, or in colours that the reader has chosen for everything. */
  readonly setLook: (look: Look, areColoursForced?: boolean) => Promise<void>
  /** The window, or the page in its whole length, as PNG, without the caret, which blinks. */
  readonly screenshot: (isWhole?: boolean) => Promise<Buffer>
}

const patienceMillis = 30_000

export const make = (page: Page, session: CDPSession): Visit => {
  const notHere = (): never => {
    throw new Error("the gallery's tab goes where the gallery sends it")
  }
  const { click, evaluate, fill, press, run } = PuppeteerTab.make(page, {
    goTo: notHere,
    readOut: notHere,
    setMedium: notHere,
    setScheme: notHere,
    slowDown: notHere,
    use: notHere,
  })
  const field = async (label: string) => {
    const find = () =>
      page.evaluateHandle(
        (wanted) =>
          [...document.querySelectorAll<HTMLInputElement>("input, select, textarea")].find((one) =>
            [one.ariaLabel ?? "", ...Array.from(one.labels ?? [], ({ innerText }) => innerText)].some(
              (name) => name.includes(wanted),
            ),
          ) ?? null,
        label,
      )
    const found = await until(
      `a field "${label}"`,
      async () => (await find()).asElement(),
      (element) => element !== null,
      patienceMillis,
    )
    return found!
  }
  /** Does something once it can be done, which it says. */
  const done = async <Args extends ReadonlyArray<unknown>>(
    what: string,
    act: (...given: Args) => boolean,
    ...given: Args
  ): Promise<void> => {
    await until(what, () => evaluate(act, ...given), Boolean, patienceMillis)
  }
  return {
    click,
    evaluate,
    fill,
    press,
    run,
    choose: async (label, value) => {
      const element = await field(label)
      if (value !== undefined) await element.select(value)
      else await element.evaluate((node) => (node as HTMLInputElement).click())
    },
    unfold: (words) =>
      done(
        `a summary "${words}"`,
        (wanted) => {
          const all = [...document.querySelectorAll("summary")]
          const found = all.find(({ textContent }) => textContent?.includes(wanted))
          found?.click()
          return found !== undefined
        },
        words,
      ),
    attach: async (label, name, text) => {
      const input = await field(label)
      await input.evaluate(
        (node, called, content) => {
          const chosen = new DataTransfer()
          chosen.items.add(new File([content], called))
          const input = node as HTMLInputElement
          input.files = chosen.files
          input.dispatchEvent(new Event("change", { bubbles: true }))
        },
        name,
        text,
      )
    },
    sees: async (selector, count = 1) => {
      await until(
        selector,
        () =>
          evaluate(
            (wanted) => [...document.querySelectorAll(wanted)].filter((one) => one.checkVisibility()).length,
            selector,
          ),
        (found) => found >= count,
        patienceMillis,
      )
    },
    reads: async (words) => {
      await until(
        `"${words}" on the page`,
        () => evaluate(() => (document.body as HTMLElement | null)?.innerText ?? ""),
        (text) => (typeof words === "string" ? text.includes(words) : words.test(text)),
        patienceMillis,
      )
    },
    bring: (selector, block = "start") =>
      done(
        selector,
        (wanted, at) => {
          const found = document.querySelector(wanted)
          found?.scrollIntoView({ block: at })
          return found !== null
        },
        selector,
        block,
      ),
    bringWords: (words) =>
      done(
        `"${words}"`,
        (wanted) => {
          const all = [...document.querySelectorAll("main *")]
          const found = all.findLast(({ textContent }) => textContent?.includes(wanted))
          found?.scrollIntoView({ block: "center" })
          return found !== undefined
        },
        words,
      ),
    bringPart: (heading) =>
      done(
        `a heading "${heading}"`,
        (wanted) => {
          const all = [...document.querySelectorAll("h1, h2, h3, h4")]
          const found = all.find(({ textContent }) => textContent?.trim() === wanted)
          const part = found?.closest("section, .part") ?? found
          part?.scrollIntoView({ block: "start" })
          return found !== undefined
        },
        heading,
      ),
    setLook: async (look, areColoursForced = false) => {
      await session.send("Emulation.setEmulatedMedia", {
        features: [
          { name: "prefers-color-scheme", value: look },
          { name: "prefers-reduced-motion", value: "reduce" },
          { name: "forced-colors", value: areColoursForced ? "active" : "none" },
        ],
      })
    },
    screenshot: async (isWhole = false) => {
      await evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync("* { caret-color: transparent !important }")
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      })
      return Buffer.from(await page.screenshot({ fullPage: isWhole }))
    },
  }
}
