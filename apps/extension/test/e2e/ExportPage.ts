/** The export page in a tab of its own, as tests and measuring use it. */
import { until } from "./browsers/Driver.ts"
import type { Tab } from "./browsers/Driver.ts"
import { said, seen } from "./Words.ts"
import type { World } from "./World.ts"

/** Has the page keep what it makes in place of handing it to the browser, which would put files on this machine. */
const keepFiles = (): void => {
  const made: Array<Blob> = []
  const saved: Array<string> = []
  Object.assign(globalThis, { made, saved })
  const address = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (content) => {
    made.push(content as Blob)
    return address(content)
  }
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download)
  }
}

/** Chooses a format, a table or a source by its value. */
export const choose = (tab: Tab, value: string): Promise<void> =>
  tab.evaluate(
    (wanted) => document.querySelector<HTMLInputElement>(`input[value="${wanted}"]`)?.click(),
    value,
  )

/** Opens the page; what it makes stays in it. */
export const open = async ({ driver }: World): Promise<Tab> => {
  const tab = await driver.open(`${driver.origin}/export.html`)
  await seen(tab, said("exportStart"))
  await tab.evaluate(keepFiles)
  return tab
}

/** The names of the files that were saved by themselves; waits for the first one. */
export const savedNames = (tab: Tab): Promise<ReadonlyArray<string>> =>
  until(
    "a saved file",
    () => tab.evaluate(() => (globalThis as unknown as { saved: Array<string> }).saved),
    (names) => names.length > 0,
  )

/** The bytes of the file that was made first since the page was opened; its manifest is made after it. */
export const fileOf = async (tab: Tab): Promise<Buffer> => {
  const text = await tab.evaluate(async () => {
    const [content] = (globalThis as unknown as { made: Array<Blob> }).made
    const reader = new FileReader()
    reader.readAsDataURL(content!)
    await new Promise((resolve) => reader.addEventListener("load", resolve))
    return reader.result as string
  })
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64")
}
