/** What sets an account, and what a settings file would bring. */
import type { SettingsFile } from "../../../src/messages/SettingsFile.ts"
import { accountLimits } from "../../../src/messages/AppState.ts"
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

/** A settings file from another browser. */
const file: SettingsFile = {
  format: "deedkit-settings",
  version: 1,
  accounts: [{ name: "Homes of the coast", baseUrl: "https://api.coast.example/rest" }],
  sites: [
    { origin: "https://homes.example", isOn: true, patterns: ["/homes/:slug", "?listing=:id"] },
    { origin: "https://coast.example", isOn: true, patterns: [] },
    { origin: "https://xn--hmes-55d.example:8443", isOn: false, patterns: ["/homes/:slug"] },
  ],
  settings: { ...ready.settings, theme: "dark", refreshMinutes: 30, keyStorage: "session" },
}
const hostileFile: SettingsFile = {
  ...file,
  accounts: [
    {
      name: `\u202e${"W".repeat(59)}`,
      baseUrl: `https://${"w".repeat(60)}.example/${"x".repeat(1_000)}`,
    },
  ],
  sites: Array.from({ length: 200 }, (_, at) => ({
    origin: `https://${"w".repeat(50)}.s${at}.example`,
    isOn: true,
    patterns: ["/:slug"],
  })),
}

const choosingFile = (page: Visit, content: string): Promise<void> =>
  page.attach("Import settings", "deedkit-settings.json", content)

/** A file was chosen, and the question is open. */
const transfer = (name: string, chosen: SettingsFile, more: Partial<Scene>): Scene =>
  options(name, ready, {
    address: "#transfer",
    act: async (page) => {
      await choosingFile(page, JSON.stringify(chosen))
      await page.sees(".preview")
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
  options("accounts", withAccounts, { address: "#accounts", act: top("Accounts") }),
  options("account-removing", withAccounts, {
    address: "#accounts",
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
  options("accounts-hostile", hostile, {
    address: "#accounts",
    size: [360, 740],
    act: top("Accounts"),
    isPictured: false,
  }),
  options("transfer", ready, {
    address: "#transfer",
    act: top("Import and export settings"),
    isPictured: false,
  }),
  transfer("transfer-chosen", file, { size: [920, 1_000] }),
  transfer("transfer-chosen-narrow", file, { size: [360, 740], isPictured: false }),
  transfer("transfer-hostile", hostileFile, { size: [360, 740], isPictured: false }),
  options("transfer-imported", ready, {
    address: "#transfer",
    world: world(ready, { answers: { "page.importSettings": withAccounts } }),
    act: async (page) => {
      await choosingFile(page, JSON.stringify(file))
      await page.click("button", "Confirm import")
      await page.reads("The settings were imported")
      await top("Import and export settings")(page)
    },
    isPictured: false,
  }),
  options("transfer-too-large", ready, {
    address: "#transfer",
    act: async (page) => {
      await choosingFile(page, "{}".padEnd(accountLimits.mostFile + 1))
      await page.reads("larger than 20")
      await top("Import and export settings")(page)
    },
    isPictured: false,
  }),
]
