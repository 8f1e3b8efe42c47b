/** A tab of either browser by Puppeteer. What the browsers do in ways of their own comes from `Chromium.ts` and `Firefox.ts`. */
import type { ElementHandle, KeyInput, Page } from "puppeteer-core"
import { evaluateBy, until } from "./Driver.ts"
import type { Tab } from "./Driver.ts"

/** The parts of a tab that differ between the browsers. */
export type OwnTab = Pick<Tab, "goTo" | "readOut" | "setMedium" | "setScheme" | "slowDown" | "use">

/** A field by its label; passwords have no role to be found by. */
const field = `(label) => [...document.querySelectorAll("input, textarea, select")].find(
  (one) => one.ariaLabel === label || [...(one.labels ?? [])].some(({ innerText }) => innerText.trim() === label)) ?? null`

/** In the page: says of the next click whether it met the element, and keeps one from the page that met another. */
const aimAt = (node: Node) => {
  const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
  let isMet = true
  const judge = (event: Event): void => {
    if (event.type === "pointerdown")
      isMet = event
        .composedPath()
        .some((each) => each === node || (each as HTMLLabelElement).control === node)
    if (isMet) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  for (const type of types) addEventListener(type, judge, { capture: true })
  return {
    end: () => {
      for (const type of types) removeEventListener(type, judge, { capture: true })
      return isMet
    },
  }
}

export const make = (page: Page, own: OwnTab): Tab => {
  const run: Tab["run"] = async (expression) => {
    const answer = await page.evaluate(`(async () => JSON.stringify(await ${expression}))()`)
    return typeof answer === "string" ? JSON.parse(answer) : undefined
  }
  const find = (role: string, name: string): Promise<ReadonlyArray<ElementHandle>> =>
    page.$$(`aria/${name}[role="${role}"]`)
  /** The one element, once it can be pressed. `page.locator` is not used: in Firefox it waits for frames that a hidden tab does not paint. */
  const pressable = async (role: string, name: string): Promise<ElementHandle> => {
    let shown = Date.now()
    let one: ElementHandle | undefined
    await until(
      `one ${role} "${name}" that can be pressed`,
      async () => {
        const all = await find(role, name)
        const isEnabled = (each: ElementHandle) => each.evaluate((node) => !node.matches(":disabled"))
        one = all.length === 1 && (await isEnabled(all[0]!).catch(() => false)) ? all[0] : undefined
        // Firefox names the elements of a page that it paints, and a tab does not always come to the front when it is told to.
        if (all.length === 0 && Date.now() - shown > 2_000) {
          await page.bringToFront()
          shown = Date.now()
        }
        return { found: all.length, canBePressed: one !== undefined }
      },
      ({ canBePressed }) => canBePressed,
    ).catch(async (failure: unknown) => {
      const state = await run("[document.visibilityState, document.body.innerText]")
      throw new Error(`${String(failure)}; the page: ${JSON.stringify(state)}`)
    })
    return one!
  }
  /** Clicks the one element; false where the page replaced or moved it before it was clicked. */
  const clicked = async (role: string, name: string): Promise<boolean> => {
    const one = await pressable(role, name)
    try {
      const aim = await one.evaluateHandle(aimAt)
      await one.click()
      // A page that is no more went elsewhere by the click.
      return await aim.evaluate((begun) => begun.end()).catch(() => true)
    } catch (error) {
      if (await one.evaluate((node) => node.isConnected).catch(() => false)) throw error
      return false
    }
  }
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text())
  })
  return {
    ...own,
    errors,
    run,
    evaluate: evaluateBy(run),
    click: async (role, name) => {
      // Puppeteer waits for a frame before it clicks, and a tab behind another one paints none.
      await page.bringToFront()
      await until(`a click on the ${role} "${name}"`, () => clicked(role, name), Boolean)
    },
    fill: async (label, text) => {
      const handle = await until(
        `a field "${label}"`,
        async () => (await page.evaluateHandle(`(${field})(${JSON.stringify(label)})`)).asElement(),
        (found) => found !== null,
      )
      await handle!.evaluate((node) => {
        const input = node as HTMLInputElement
        input.scrollIntoView({ block: "center" })
        input.focus()
        input.select()
      })
      await page.keyboard.press("Delete")
      await page.keyboard.type(text)
      const typed = await handle!.evaluate((node) => (node as HTMLInputElement).value)
      if (typed !== text)
        throw new Error(`typed ${JSON.stringify(text)} in "${label}", which holds ${JSON.stringify(typed)}`)
    },
    show: () => page.bringToFront(),
    has: async (role, name) => (await find(role, name)).length > 0,
    press: async (key) => {
      const [, held, pressed = key] = /^(Shift|Control)\+(.+)$/.exec(key) ?? []
      if (held !== undefined) await page.keyboard.down(held as KeyInput)
      await page.keyboard.press(pressed as KeyInput)
      if (held !== undefined) await page.keyboard.up(held as KeyInput)
    },
    point: (x, y) => page.mouse.move(x, y),
    drag: async (from, to) => {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to, { steps: 5 })
      await page.mouse.up()
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    close: async () => {
      if (!page.isClosed()) await page.close()
    },
  }
}
