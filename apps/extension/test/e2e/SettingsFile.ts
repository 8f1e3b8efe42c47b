/** The part of the options page that imports settings files, and such a file. */
import type { Tab } from "./browsers/Driver.ts"
import { said, seen } from "./Words.ts"
import type { World } from "./World.ts"

/** Chooses a file of this text as the browser's own window does. */
export const choose = (tab: Tab, text: string): Promise<void> =>
  tab.evaluate((text) => {
    const chosen = new DataTransfer()
    chosen.items.add(new File([text], "deedkit-settings.json", { type: "application/json" }))
    const input = document.querySelector<HTMLInputElement>("#transfer-file")!
    input.files = chosen.files
    input.dispatchEvent(new Event("change", { bubbles: true }))
  }, text)

/** The part of the options that takes settings files. */
export const open = async ({ driver }: World): Promise<Tab> => {
  const options = await driver.open(`${driver.origin}/options.html#transfer`)
  await seen(options, said("transferTake"))
  return options
}

export const settings = {
  theme: "dark",
  refreshMinutes: 30,
  toolbarCount: true,
  pill: true,
  keyStorage: "device",
}
export const site = { origin: "https://xn--80ak6aa92e.com", isOn: true, patterns: ["/homes/:slug"] }
export const account = { name: "Flats", baseUrl: "https://api.flats.example/rest" }
export const file = {
  format: "deedkit-settings",
  version: 1,
  settings,
  sites: [site],
  accounts: [account],
}
