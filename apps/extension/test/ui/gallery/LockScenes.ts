/** Every page while it is locked, and what sets a lock, an account and a settings file. */
import type { Page } from "playwright-core"
import type { SettingsPreview } from "../../../src/messages/AccountMessage.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import type { Scene } from "./Scene.ts"
import { ready, unset, world } from "./Worlds.ts"

/** What the background tells while it is locked. */
export const locked: AppState = {
  ...unset,
  accounts: [],
  account: "",
  lock: { isSet: true, afterMinutes: 15, waitUntil: null },
  connection: { _tag: "Locked" },
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

const error = {
  _tag: "UserError",
  message: "Wrong passphrase.",
  advice: "Try again in 4 seconds. Each wrong passphrase doubles the wait.",
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

const choosingFile = async (page: Page, size = 2): Promise<void> => {
  const buffer = Buffer.from("{}".padEnd(size))
  const file = { name: "deedkit-settings.json", mimeType: "application/json", buffer }
  await page.getByLabel("Import settings").setInputFiles(file)
}

/** A file was chosen, and the first pattern list of the preview is open. */
const transfer = (name: string, preview: SettingsPreview, more: Partial<Scene>): Scene =>
  options(name, ready, {
    world: world(ready, { answers: { "page.previewSettings": preview } }),
    isAllowed: false,
    act: async (page) => {
      await choosingFile(page)
      await page.getByRole("group").locator("h3").waitFor()
      const [lists] = await page.locator(".preview summary").all()
      await lists?.click()
      await top("Import and export settings")(page)
    },
    ...more,
  })

export const lockScenes: ReadonlyArray<Scene> = [
  { page: "popup", name: "locked", world: world(locked), act: (page) => box(page).waitFor() },
  {
    page: "popup",
    name: "locked-wrong",
    world: world(locked, { answers: { "page.unlock": error } }),
    act: async (page) => {
      await box(page).fill("not it")
      await page.getByRole("button", { name: "Unlock" }).click()
      await page.getByText(error.message).waitFor()
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
      await page.getByRole("button", { name: "Forgot passphrase?" }).click()
      await page.getByText("The passphrase cannot be recovered").waitFor()
    },
  },
  {
    page: "popup",
    name: "accounts",
    world: world(withAccounts),
    act: (page) => page.getByLabel("Current account").waitFor(),
  },
  {
    page: "popup",
    name: "accounts-hostile",
    world: world(hostile),
    act: (page) => page.getByLabel("Current account").waitFor(),
    isPictured: false,
  },
  options("locked", locked, { act: (page) => box(page).waitFor() }),
  options("accounts", withAccounts, { act: top("Accounts") }),
  options("account-removing", withAccounts, {
    act: async (page) => {
      await page.locator("summary", { hasText: "Nothing yet" }).click()
      await page.getByRole("button", { name: "Remove account" }).last().click()
    },
    isPictured: false,
  }),
  options("accounts-hostile", hostile, { size: [360, 740], act: top("Accounts"), isPictured: false }),
  options("lock-none", ready, { act: top("Lock") }),
  options("lock-set", withLock, { act: top("Lock") }),
  options("lock-changing", withLock, {
    act: async (page) => {
      await page.locator("summary", { hasText: "Change passphrase" }).click()
      await page.getByLabel("New passphrase", { exact: true }).fill("short")
      await page.getByRole("button", { name: "Change passphrase" }).click()
    },
    isPictured: false,
  }),
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
      await page.getByRole("button", { name: "Confirm import" }).click()
      await page.getByText("The settings were imported").waitFor()
      await top("Import and export settings")(page)
    },
    isPictured: false,
  }),
  options("transfer-too-large", ready, {
    act: async (page) => {
      await choosingFile(page, 500_001)
      await page.getByText("larger than 500").waitFor()
      await top("Import and export settings")(page)
    },
    isPictured: false,
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
