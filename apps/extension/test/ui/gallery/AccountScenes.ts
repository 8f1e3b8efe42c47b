/** What sets an account, and what a settings file would bring. */
import type { SettingsPreview } from "../../../src/messages/AccountMessage.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import { ready, world } from "./Worlds.ts"

const withAccounts: AppState = {
  ...ready,
  accounts: [
    { id: "first", name: "Homes of the coast", baseUrl: "https://api.homes.example/" },
    { id: "second", name: "", baseUrl: "https://api.lettings.an-agency-with-a-long-name.example:8443/rest" },
    { id: "third", name: "Nothing yet", baseUrl: null },
  ],
}
/** A name of the greatest length that has no place to break. */
const hostile: AppState = {
  ...withAccounts,
  accounts: withAccounts.accounts.map((account) => ({ ...account, name: `\u202e${"W".repeat(59)}` })),
}

const top =
  (heading: string) =>
  (page: Visit): Promise<void> =>
    page.bringPart(heading)

const options = (name: string, state: AppState, more: Partial<Scene> = {}): Scene => ({
  page: "options",
  name,
  world: world(state),
  size: [920, 680],
  ...more,
})

/** What a settings file from another browser would bring. */
const preview: SettingsPreview = {
  accounts: [
    ...ready.accounts,
    { id: "coast", name: "Homes of the coast", baseUrl: "https://api.coast.example/rest" },
  ],
  sites: [
    { origin: "https://homes.example", isOn: true, patterns: ["/homes/:slug", "?listing=:id"] },
    { origin: "https://coast.example", isOn: true, patterns: [] },
    { origin: "https://xn--hmes-55d.example:8443", isOn: false, patterns: ["/homes/:slug"] },
  ],
  settings: { ...ready.settings, theme: "dark", refreshMinutes: 30, keyStorage: "session" },
  leftOut: 1,
}
const hostilePreview: SettingsPreview = {
  ...preview,
  accounts: [
    ...ready.accounts,
    {
      id: "hostile",
      name: `\u202e${"W".repeat(59)}`,
      baseUrl: `https://${"w".repeat(60)}.example/${"x".repeat(1_000)}`,
    },
  ],
  sites: Array.from({ length: 200 }, (_, at) => ({
    origin: `https://${"w".repeat(50)}.s${at}.example`,
    isOn: true,
    patterns: Array.from({ length: 50 }, (_, number) => `/${number}/${"y".repeat(400)}/:slug`),
  })),
}

const choosingFile = async (page: Visit, size = 2): Promise<void> => {
  await page.attach("Import settings", "deedkit-settings.json", "{}".padEnd(size))
}

/** A file was chosen, and the first pattern list of the preview is open. */
const transfer = (name: string, preview: SettingsPreview, more: Partial<Scene>): Scene =>
  options(name, ready, {
    world: world(ready, { answers: { "page.previewSettings": preview } }),
    isAllowed: false,
    act: async (page) => {
      await choosingFile(page)
      await page.sees("[role=group] h3, fieldset h3")
      await page.evaluate(() => document.querySelector<HTMLElement>(".preview summary")?.click())
      await top("Import and export settings")(page)
    },
    ...more,
  })

export const accountScenes: ReadonlyArray<Scene> = [
  {
    page: "popup",
    name: "accounts",
    world: world(withAccounts),
    act: (page) => page.reads("Current account"),
  },
  {
    page: "popup",
    name: "accounts-hostile",
    world: world(hostile),
    act: (page) => page.reads("Current account"),
    isPictured: false,
  },
  options("accounts", withAccounts, { act: top("Accounts") }),
  options("account-removing", withAccounts, {
    act: async (page) => {
      await page.unfold("Nothing yet")
      await page.evaluate(() =>
        [...document.querySelectorAll("button")]
          .findLast(({ textContent }) => textContent === "Remove account")!
          .click(),
      )
    },
    isPictured: false,
  }),
  options("accounts-hostile", hostile, { size: [360, 740], act: top("Accounts"), isPictured: false }),
  options("transfer", ready, { act: top("Import and export settings"), isPictured: false }),
  transfer("transfer-preview", preview, { size: [920, 1_000] }),
  transfer("transfer-preview-narrow", preview, { size: [360, 740], isPictured: false }),
  transfer("transfer-hostile", hostilePreview, { size: [360, 740], isPictured: false }),
  transfer("transfer-nothing", { ...ready, leftOut: 0 }, { isPictured: false }),
  options("transfer-imported", ready, {
    world: world(ready, {
      answers: { "page.previewSettings": preview, "page.importSettings": withAccounts },
    }),
    act: async (page) => {
      await choosingFile(page)
      await page.click("button", "Confirm import")
      await page.reads("The settings were imported")
      await top("Import and export settings")(page)
    },
    isPictured: false,
  }),
  options("transfer-too-large", ready, {
    act: async (page) => {
      await choosingFile(page, 500_001)
      await page.reads("larger than 500")
      await top("Import and export settings")(page)
    },
    isPictured: false,
  }),
]
