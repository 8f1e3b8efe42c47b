import { beforeEach, describe, expect, it } from "vitest"
import * as SettingsFile from "../../src/messages/SettingsFile.ts"
import * as World from "./World.ts"

let world: World.World

const take = (file: string) => world.ask({ type: "page.importSettings", text: file })
const state = () => world.ask({ type: "page.state" })

const file: SettingsFile.SettingsFile = {
  format: "deedkit-settings",
  version: 1,
  settings: { theme: "dark", refreshMinutes: 30, toolbarCount: false, keyStorage: "session" },
  sites: [
    { origin: World.site, isOn: true, patterns: ["/homes/:slug"] },
    { origin: "https://flats.example", isOn: false, patterns: [] },
  ],
  accounts: [
    { name: "Homes", baseUrl: World.baseUrl },
    { name: "Flats", baseUrl: "https://api.flats.example/" },
    { name: "Nothing yet", baseUrl: null },
  ],
}

beforeEach(() => {
  world = World.make({ contracts: 30 })
})

describe("a settings file", () => {
  it("brings accounts, sites and choices to an extension without any, and asks for nothing", async () => {
    const answer = await take(JSON.stringify(file))
    expect(answer).toMatchObject({
      imported: { sites: 2, sitesChanged: 0, accounts: 2, accountsKnown: 0 },
      state: {
        account: "first",
        accounts: [
          { id: "first", name: "Homes", baseUrl: World.baseUrl },
          { name: "Flats", baseUrl: "https://api.flats.example" },
        ],
        standing: { _tag: "NoPermission", origin: World.baseUrl },
        settings: file.settings,
        sites: [
          { ...file.sites[0], isGranted: false },
          { ...file.sites[1], isGranted: false },
        ],
      },
    })
    await World.turns(20)
    expect(world.platform.asked).toEqual([])
    expect(world.platform.scriptsById.size).toBe(0)
  })

  it("takes nothing away: key, index and the account in use stay", async () => {
    await world.setUp()
    await world.until(World.isWalked)
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const answer = await take(JSON.stringify(file))
    expect(answer).toMatchObject({
      imported: { sites: 1, sitesChanged: 1, accounts: 1, accountsKnown: 1 },
      state: {
        account: "first",
        keyHint: world.emulator.apiKey.slice(-4),
        index: { contracts: 30 },
        sites: [{ origin: World.site, isGranted: true, patterns: ["/homes/:slug"] }, { isGranted: false }],
      },
    })
    expect(await world.database().get("keys", "apiKey")).toBeUndefined()
  })

  it("that was saved here brings everything again, and holds no key", async () => {
    await world.setUp()
    await world.until(World.isWalked)
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const text = SettingsFile.write(await state())
    expect(text).not.toContain(world.emulator.apiKey)
    expect(text).not.toContain(world.emulator.apiKey.slice(-4))
    expect(await take(text)).toMatchObject({
      imported: { sites: 0, sitesChanged: 0, accounts: 0, accountsKnown: 1 },
    })
  })

  const site = file.sites[0]!
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["no JSON", "{"],
    ["another kind of file", { ...file, format: "something-else" }],
    ["a version that is not known", { ...file, version: 2 }],
    ["a key", { ...file, key: "some-key" }],
    ["a key in an account", { ...file, accounts: [{ ...file.accounts[0], key: "some-key" }] }],
    ["a setting that there is not", { ...file, settings: { ...file.settings, more: 1 } }],
    ["a setting too few", { ...file, settings: { theme: "dark" } }],
    ["no sites", { ...file, sites: null }],
    ["a site that is no origin", { ...file, sites: [{ ...site, origin: "https://homes.example/path" }] }],
    ["a site without https", { ...file, sites: [{ ...site, origin: "http://homes.example" }] }],
    ["a site that is every site", { ...file, sites: [{ ...site, origin: "https://*" }] }],
    ["a site that is many sites", { ...file, sites: [{ ...site, origin: "https://*.example.com" }] }],
    ["an address that is every address", { ...file, accounts: [{ name: "", baseUrl: "https://*/api" }] }],
    ["a pattern that names nothing", { ...file, sites: [{ ...site, patterns: ["/homes"] }] }],
    ["an address without https", { ...file, accounts: [{ name: "", baseUrl: "http://api.example.test" }] }],
    [
      "an address with a password",
      { ...file, accounts: [{ name: "", baseUrl: "https://a:b@api.example.test" }] },
    ],
  ]
  it.each(wrong)("is refused whole for %s", async (_what, content) => {
    const before = await state()
    const answer = await take(typeof content === "string" ? content : JSON.stringify(content))
    expect(answer).toMatchObject({ _tag: "Refused", message: "refusedFile" })
    expect(await state()).toEqual(before)
  })
})
