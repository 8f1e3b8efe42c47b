/** Every page while it is locked, and what sets a lock, an account and a settings file. */
import type { Page } from "playwright-core"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { Scene } from "./Scene.ts"
import { ready, unset, world } from "./Worlds.ts"

/** What the background tells while it is locked. */
export const locked: AppState = {
  ...unset,
  accounts: [],
  account: "",
  lock: { isSet: true, afterMinutes: 15, waitUntil: null },
  standing: { _tag: "Locked" },
}
const waiting: AppState = { ...locked, lock: { ...locked.lock, waitUntil: "2026-03-01T14:22:08Z" } }

export const withLock: AppState = { ...ready, lock: { ...locked.lock, afterMinutes: 30 } }

const withAccounts: AppState = {
  ...withLock,
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

const refusal = {
  _tag: "Refused",
  message: "This is not the passphrase.",
  advice: "Try again in 4 seconds. The wait doubles with each wrong one.",
} as const

const box = (page: Page) => page.getByLabel("Passphrase")

const top =
  (heading: string) =>
  (page: Page): Promise<void> =>
    page
      .getByRole("heading", { name: heading, exact: true })
      .evaluate((element) => element.closest("section")?.scrollIntoView({ block: "start" }))

const options = (name: string, state: AppState, more: Partial<Scene> = {}): Scene => ({
  page: "options",
  name,
  world: world(state),
  size: [920, 680],
  ...more,
})

export const lockScenes: ReadonlyArray<Scene> = [
  { page: "popup", name: "locked", world: world(locked), act: (page) => box(page).waitFor() },
  {
    page: "popup",
    name: "locked-wrong",
    world: world(locked, { answers: { "page.unlock": refusal } }),
    act: async (page) => {
      await box(page).fill("not it")
      await page.getByRole("button", { name: "Unlock" }).click()
      await page.getByText(refusal.message).waitFor()
    },
  },
  {
    page: "popup",
    name: "locked-waiting",
    world: world(waiting),
    act: (page) => box(page).waitFor(),
    isPictured: false,
  },
  {
    page: "popup",
    name: "locked-forgotten",
    world: world(locked),
    act: async (page) => {
      await page.getByRole("button", { name: "I have forgotten it" }).click()
      await page.getByText("Nobody can bring").waitFor()
    },
  },
  {
    page: "popup",
    name: "accounts",
    world: world(withAccounts),
    act: (page) => page.getByLabel("Account in use").waitFor(),
  },
  {
    page: "popup",
    name: "accounts-hostile",
    world: world(hostile),
    act: (page) => page.getByLabel("Account in use").waitFor(),
    isPictured: false,
  },
  options("locked", locked, { act: (page) => box(page).waitFor() }),
  options("accounts", withAccounts, { act: top("Accounts") }),
  options("account-removing", withAccounts, {
    act: async (page) => {
      await page.locator("summary", { hasText: "Nothing yet" }).click()
      await page.getByRole("button", { name: "Remove this account" }).last().click()
    },
    isPictured: false,
  }),
  options("accounts-hostile", hostile, { size: [360, 740], act: top("Accounts"), isPictured: false }),
  options("lock-none", ready, { act: top("Lock") }),
  options("lock-set", withLock, { act: top("Lock") }),
  options("lock-changing", withLock, {
    act: async (page) => {
      await page.locator("summary", { hasText: "Change the passphrase" }).click()
      await page.getByLabel("New passphrase", { exact: true }).fill("short")
      await page.getByRole("button", { name: "Change the passphrase" }).click()
    },
    isPictured: false,
  }),
  options("transfer", ready, {
    world: world(ready, {
      answers: {
        "page.importSettings": {
          state: withAccounts,
          imported: { accounts: 2, accountsKnown: 1, sites: 1, sitesChanged: 0 },
        },
      },
    }),
    act: async (page) => {
      const file = { name: "deedkit-settings.json", mimeType: "application/json", buffer: Buffer.from("{}") }
      await page.getByLabel("Take over a settings file").setInputFiles(file)
      await page.getByText("2 accounts were added").waitFor()
      await top("Settings file")(page)
    },
  }),
  {
    page: "export",
    name: "locked",
    world: world(locked),
    act: (page) => box(page).waitFor(),
    isPictured: false,
  },
  {
    page: "welcome",
    name: "locked",
    world: world(locked),
    act: (page) => box(page).waitFor(),
    isPictured: false,
  },
]
