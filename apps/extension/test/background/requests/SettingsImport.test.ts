import { beforeEach, describe, expect, it } from "vitest"
import { accountLimits, mostLinks } from "../../../src/messages/AppState.ts"
import * as SettingsFile from "../../../src/messages/SettingsFile.ts"
import * as SettingsText from "../../../src/messages/SettingsText.ts"
import * as World from "../World.ts"

let world: World.World

const take = (file: string) => world.ask({ type: "page.importSettings", text: file })
const state = () => world.ask({ type: "page.state" })

const file: SettingsFile.SettingsFile = {
  format: "deedkit-settings",
  version: 1,
  settings: { theme: "dark", refreshMinutes: 30, toolbarCount: false, pill: false, keyStorage: "session" },
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
  it("is read without a change", async () => {
    const before = await state()
    const read = (text: string) => world.ask({ type: "page.readSettings", text })
    expect(await read(JSON.stringify(file))).toEqual(file)
    expect(await read(JSON.stringify({ ...file, key: "secret" }))).toMatchObject({ _tag: "UserError" })
    expect(await state()).toEqual(before)
  })

  it("brings accounts, sites and choices to an extension without any, and asks for nothing", async () => {
    expect(await take(JSON.stringify(file))).toMatchObject({
      account: "first",
      accounts: [
        { id: "first", name: "Homes", baseUrl: World.baseUrl },
        { name: "Flats", baseUrl: "https://api.flats.example" },
      ],
      connection: { _tag: "NoPermission", origin: World.baseUrl },
      settings: file.settings,
      sites: [
        { ...file.sites[0], isGranted: false },
        { ...file.sites[1], isGranted: false },
      ],
    })
    await World.turns(20)
    expect(world.platform.asked).toEqual([])
    expect(world.platform.scriptsById.size).toBe(0)
  })

  it("takes nothing away: key, index and the account in use stay", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    expect(await take(JSON.stringify(file))).toMatchObject({
      account: "first",
      accounts: [{ baseUrl: World.baseUrl }, { name: "Flats" }],
      keyHint: world.emulator.apiKey.slice(-4),
      index: { contracts: 30 },
      sites: [{ origin: World.site, isGranted: true, patterns: ["/homes/:slug"] }, { isGranted: false }],
    })
    expect(await world.database().get("keys", "apiKey")).toBeUndefined()
  })

  it("leaves a site's panel where it stands", async () => {
    await world.setUp()
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const place = async () => {
      const start = await world.askAs(World.tab(1), { type: "listing.start" })
      return start === null || start === "nothing" ? null : start.place
    }
    await world.askAs(World.tab(1), { type: "listing.place", place: 3 })
    expect(await place()).toBe(3)
    expect(file.sites.map(({ origin }) => origin)).toContain(World.site)
    await take(JSON.stringify(file))
    expect(await place()).toBe(3)
  })

  it("that was saved here brings everything again, and holds no key", async () => {
    await world.setUp()
    await world.until(World.isSynced)
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const text = SettingsText.write(await state())
    expect(text).not.toContain(world.emulator.apiKey)
    expect(text).not.toContain(world.emulator.apiKey.slice(-4))
    const before = await state()
    expect(await take(text)).toEqual(before)
  })

  it("brings the pages that were linked to listings, beside those that are linked here", async () => {
    await world.setUp()
    world.platform.granted.add(World.sitePattern)
    await world.ask({ type: "page.addSite", origin: World.site })
    const link = (path: string, listing: number) =>
      world.ask({ type: "page.linkPage", url: `${World.site}${path}`, listing })
    await link("/view/1001", 41001)
    await link("/σοφίτα-1002?utm_source=mail", 41002)
    const text = SettingsText.write(await state())
    await link("/view/1001", 41009)
    await link("/view/1003", 41003)
    expect(await take(text)).toMatchObject({
      accounts: [
        {
          links: {
            [`${World.site}/view/1001`]: 41001,
            [`${World.site}/σοφίτα-1002`]: 41002,
            [`${World.site}/view/1003`]: 41003,
          },
        },
      ],
    })
  })

  const linksOf = (count: number, from = 1_000) =>
    Array.from({ length: count }, (_, at) => ({
      address: `${World.site}/view/${from + at}`,
      listing: 41_000,
    }))
  const withLinks = (count: number, from?: number) =>
    JSON.stringify({ ...file, accounts: [{ ...file.accounts[0], links: linksOf(count, from) }] })

  it("is refused whole if an account would have more links than it can, with those that it has", async () => {
    expect(await take(withLinks(mostLinks + 1))).toMatchObject({ _tag: "UserError", message: "errorFile" })
    expect(await take(withLinks(mostLinks - 1))).not.toHaveProperty("_tag")
    expect(await take(withLinks(1, 8_000))).not.toHaveProperty("_tag")
    const before = await state()
    expect(await take(withLinks(1, 9_000))).toMatchObject({
      _tag: "UserError",
      message: `errorLinks ${mostLinks}`,
    })
    expect(await state()).toEqual(before)
    expect(await take(withLinks(mostLinks - 1))).toEqual(before)
  })

  it("can be as large as the accounts that it is saved for: each with all its links, of the longest addresses", async () => {
    const host = [63, 63, 63, 61].map((length) => "a".repeat(length)).join(".")
    const links = Array.from({ length: mostLinks }, (_, at) => ({
      address: `https://${host}/${"家".repeat(189)}-${1_000 + at}`,
      listing: Number.MAX_SAFE_INTEGER,
    }))
    const accounts = Array.from({ length: accountLimits.mostAccounts }, (_, at) => ({
      name: "n".repeat(accountLimits.mostName),
      baseUrl: `https://api-${at}.example`,
      links,
    }))
    await take(JSON.stringify({ ...file, accounts }))
    const before = await state()
    expect(before.accounts.map((account) => Object.keys(account.links ?? {}).length)).toEqual(
      accounts.map(() => mostLinks),
    )
    const text = SettingsText.write(before)
    expect(new Blob([text]).size).toBeLessThanOrEqual(accountLimits.mostFile)
    expect(new Blob([text]).size).toBeGreaterThan(accountLimits.mostFile / 2)
    expect(await take(text)).toEqual(before)
  })

  it("is refused whole if there is no room for all of its accounts", async () => {
    for (let count = 1; count < 19; count++) await world.addAccount(`No. ${count}`)
    const { accounts } = await state()
    for (const { id } of accounts) {
      await world.ask({ type: "page.switchAccount", id })
      await world.ask({ type: "page.setAddress", baseUrl: `https://${id}.example` })
    }
    const before = await state()
    expect(await take(JSON.stringify(file))).toMatchObject({ _tag: "UserError", message: "errorAccounts 20" })
    expect(await state()).toEqual(before)
    const fewer = { ...file, accounts: file.accounts.slice(0, 1) }
    expect(await take(JSON.stringify(fewer))).toHaveProperty("accounts.length", 20)
  })

  it("loses nothing that is changed in another window at the same time", async () => {
    const [after] = await Promise.all([
      take(JSON.stringify(file)),
      world.ask({ type: "page.renameAccount", id: "first", name: "Renamed" }),
    ])
    expect(after).not.toHaveProperty("_tag")
    expect(await state()).toMatchObject({ accounts: [{ name: "Renamed" }, {}], sites: [{}, {}] })
  })

  const site = file.sites[0]!
  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["no JSON", "{"],
    ["another kind of file", { ...file, format: "something-else" }],
    ["a version that is not known", { ...file, version: 2 }],
    ["a key", { ...file, key: "some-key" }],
    [
      "a link of a page in a form in which none is kept",
      {
        ...file,
        accounts: [
          {
            ...file.accounts[0],
            links: [{ address: `${World.site}/view/1001?utm_source=mail`, listing: 41001 }],
          },
        ],
      },
    ],
    ["a key in a site", { ...file, sites: [{ ...site, key: "some-key" }] }],
    ["a key among the choices", { ...file, settings: { ...file.settings, apiKey: "some-key" } }],
    ["a member named __proto__", JSON.stringify(file).replace("{", '{"__proto__":{"sites":[]},')],
    [
      "a member named __proto__ deep inside",
      JSON.stringify(file).replace('{"theme"', '{"__proto__":{"toolbarCount":true},"theme"'),
    ],
    ["a list for an object", { ...file, settings: [] }],
    ["nesting without end", `${"[".repeat(249_000)}${"]".repeat(249_000)}`],
    ["nesting in a member", `{"format":"deedkit-settings","version":1,"settings":${'{"a":'.repeat(90_000)}1`],
    [
      "more sites than anyone has",
      { ...file, sites: Array.from({ length: 1_001 }, () => ({ ...site, patterns: [] })) },
    ],
    ["more patterns than anyone has", { ...file, sites: [{ ...site, patterns: Array(51).fill("/:slug") }] }],
    ["a pattern without end", { ...file, sites: [{ ...site, patterns: [`/${"a".repeat(500)}/:slug`] }] }],
    ["a pattern with what turns it round", { ...file, sites: [{ ...site, patterns: ["/\u202e:slug"] }] }],
    ["a pattern with a control character", { ...file, sites: [{ ...site, patterns: ["/\u0000/:slug"] }] }],
    [
      "a site in letters that look like others",
      { ...file, sites: [{ ...site, origin: "https://hоmes.example" }] },
    ],
    [
      "a site with a port that is none",
      { ...file, sites: [{ ...site, origin: "https://homes.example:99999" }] },
    ],
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
    const text = typeof content === "string" ? content : JSON.stringify(content)
    expect(text.length).toBeLessThan(500_000)
    expect(await take(text)).toMatchObject({ _tag: "UserError", message: "errorFile" })
    expect(await state()).toEqual(before)
    expect({}).not.toHaveProperty("sites")
  })

  it("is not even looked at when it is too long", () => {
    for (const length of [accountLimits.mostFile + 1, 24_000_000]) {
      const text = JSON.stringify(file).padEnd(length)
      expect(world.background().onMessage({ type: "page.importSettings", text }, World.page)).toBeNull()
    }
  })

  it("keeps hosts as browsers address them, and names without what turns them round", async () => {
    const hostile = {
      ...file,
      sites: [{ ...site, origin: "https://xn--80ak6aa92e.com" }],
      accounts: [{ name: " \u202eelpmaxe\u0007\u2066 ", baseUrl: "https://аррӏе.com/\u202eapi/" }],
    }
    expect(await take(JSON.stringify(hostile))).toMatchObject({
      sites: [{ origin: "https://xn--80ak6aa92e.com" }],
      accounts: [{ name: "elpmaxe", baseUrl: "https://xn--80ak6aa92e.com/%E2%80%AEapi" }],
    })
  })

  it("is worth as much as its limit: a thousand sites and all their patterns", async () => {
    const sites = Array.from({ length: 1_000 }, (_, at) => ({
      origin: `https://s${at}.example`,
      isOn: true,
      patterns: [`/${"a".repeat(400)}/:slug`],
    }))
    const text = JSON.stringify({ ...file, sites })
    expect(text.length).toBeGreaterThan(400_000)
    expect(text.length).toBeLessThan(500_000)
    expect(await take(text)).toHaveProperty("sites.length", 1_000)
    expect(await state()).toHaveProperty("sites.length", 1_000)
  })
})
