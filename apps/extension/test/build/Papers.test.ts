/** Papers for stores, reviewers and users say what is so: each statement that can be compared with the code is compared. */
import { accountLimits } from "../../src/messages/AppState.ts"
import { existsSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import config from "../../wxt.config.ts"
import messages from "../../public/_locales/en/messages.json" with { type: "json" }
import { isAskedAbout } from "../../src/index/SyncEnd.ts"
import { quotas } from "../../src/messages/ListingMessage.ts"
import { cardLimits } from "../../src/ui/popup/onpage/FrontTab.ts"
import { optionalPermissions, permissions, permissionsOf } from "../../src/Permissions.ts"

const root = join(import.meta.dirname, "..", "..")
const read = (...path: ReadonlyArray<string>): Promise<string> => readFile(join(root, ...path), "utf8")

type Messages = { readonly [key: string]: { readonly message: string } | undefined }

/** The rows of every table of a page, without its heads, as texts without marks. */
const rowsOf = (page: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.slice(1, -1).split("|"))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll("`", "")))
  const isRule = (cells: ReadonlyArray<string> | undefined): boolean => /^-+$/.test(cells?.[0] ?? "")
  return rows.filter((cells, at) => !isRule(cells) && !isRule(rows[at + 1]))
}

interface Manifest {
  readonly commands: { readonly [name: string]: { readonly suggested_key: { readonly default: string } } }
  readonly optional_host_permissions: ReadonlyArray<string>
  readonly browser_specific_settings?: {
    readonly gecko: { readonly data_collection_permissions: { readonly required: ReadonlyArray<string> } }
  }
}

const manifestFor = async (browser: "chrome" | "firefox"): Promise<Manifest> => {
  const make = config.manifest
  if (typeof make !== "function") throw new Error("wxt.config.ts makes its manifest in another way")
  const env = { browser, command: "build", manifestVersion: 3, mode: "production" } as const
  return (await make(env)) as unknown as Manifest
}

describe("the papers for stores", () => {
  it("give the reason for each permission that the manifest has, and for no other", async () => {
    const reasons = [
      ...Object.entries(permissions).map(([name, reason]) => [name, "both", reason]),
      ...Object.entries(permissionsOf.chrome).map(([name, reason]) => [name, "Chrome", reason]),
      ...Object.entries(permissionsOf.firefox).map(([name, reason]) => [name, "Firefox", String(reason)]),
      ...Object.entries(optionalPermissions).map(([name, reason]) => [name, "both, optional", reason]),
    ]
    expect(rowsOf(await read("store", "Permissions.md"))).toEqual(reasons)
  })

  it("name the addresses that may be asked for, and no permission that is asked for as one that is not", async () => {
    const page = await read("store", "Permissions.md")
    const { optional_host_permissions } = await manifestFor("chrome")
    for (const pattern of optional_host_permissions) expect(page).toContain(`Optional, \`${pattern}\``)
    const [, not] = page.split("## What it does not ask for")
    const denied = [...not!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
    const asked = Object.keys({
      ...permissions,
      ...permissionsOf.chrome,
      ...permissionsOf.firefox,
      ...optionalPermissions,
    })
    expect(denied).toContain("tabs")
    expect(denied.filter((name) => asked.includes(name))).toEqual([])
  })

  it("say how much of a page is read while its listings are linked by hand, and what of it is kept", async () => {
    const { cards, title, words } = cardLimits
    const [asked, declared] = [
      await read("store", "Permissions.md"),
      await read("store", "DataDeclaration.md"),
    ]
    expect(asked).toContain(
      `the titles (up to ${title} characters) and texts (up to ${words}) of at most ${cards} of its cards`,
    )
    expect(asked).not.toContain("and on no other")
    const kept = (question: string) => rowsOf(declared).find(([name]) => name === question)?.[1]
    for (const question of ["Web history", "Website content"]) {
      expect(kept(question)).toContain("addresses of pages that the user links to listings are kept")
    }
    expect(await read("store", "Privacy.md")).toContain("titles and texts of the cards of a page")
  })

  it("declare the data that the manifest declares", async () => {
    const { browser_specific_settings } = await manifestFor("firefox")
    const [firefox] = (await read("store", "DataDeclaration.md")).split("## Chrome")
    const declared = rowsOf(firefox!).map(([name]) => name)
    expect(declared).toEqual(browser_specific_settings?.gecko.data_collection_permissions.required)
  })

  it("name the Node that the lockfile brings", async () => {
    const workspace = await read("..", "..", "pnpm-workspace.yaml")
    const [, version] = /^ {2}node: (\d\S+)$/m.exec(workspace) ?? []
    expect(await read("store", "Reviewers.md")).toContain(`(${version})`)
  })
})

const papers = (await readdir(join(root, "store"))).filter((name) => name.endsWith(".md"))
const pages = ["README.md", "docs/guide.md", ...papers.map((name) => `store/${name}`)]

describe.each(pages)("%s", (name) => {
  it("names files of the extension that are there", async () => {
    const named = [...(await read(name)).matchAll(/[`(]((?:src|test|docs|store|public)\/[\w./-]*\w)[`)]/g)]
    const paths = named.map(([, path]) => path!)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it("names pictures that are there", async () => {
    const named = (await read(name)).matchAll(/(docs\/[\w/-]+\.png)/g)
    const paths = [...named].map(([, picture]) => join(root, picture!))
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
  })
})

describe("what the privacy policy says of sites", () => {
  it("has the figures that the background enforces", async () => {
    const number = (value: number): string => value.toLocaleString("en")
    const told = (await read("store", "Privacy.md")).replace(/\s+/g, " ")
    const { atOnce, perMinute } = quotas.newReferences
    expect(told).toContain(
      `of ${number(atOnce)} different parts of addresses at once, and of ${number(perMinute)} more each minute`,
    )
    expect(told).toContain(`${quotas.details.atOnce + quotas.details.perMinute} details a minute`)
    const guide = (await read("docs/guide.md")).replace(/\s+/g, " ")
    expect(guide).toContain(
      `${number(atOnce)} different parts of addresses are looked up at once, and ${number(perMinute)} more each minute`,
    )
    for (const [locale, language] of [["en"], ["el"], ["pt_PT", "pt-PT"]] as const) {
      const { listingPaused } = JSON.parse(await read("public", "_locales", locale, "messages.json"))
      expect(listingPaused.message).toContain(perMinute.toLocaleString(language ?? locale))
    }
  })
})

it("tells users of every state that the extension can be in, in the words that it shows", async () => {
  const [, states] = (await read("docs/guide.md")).split("## When something is in the way")
  const told = rowsOf(states!.split("\n## ")[0]!).map(([words]) => words)
  const sources = await Promise.all([
    read("src", "failures", "ConnectionFailure.ts"),
    read("src", "ui", "advice", "Advice.ts"),
  ])
  const titles = [...sources.join("\n").matchAll(/[[(]"(\w+Title)"/g)].map(([, key]) => key!)
  expect(titles.length).toBeGreaterThan(13)
  const shown = titles.map((key) => (messages as Messages)[key]?.message.replace(/\$\w+\$/g, "…"))
  expect(new Set(told)).toEqual(new Set(shown))
})

it("tells users of every key that the extension takes, and of no other", async () => {
  const told = new Set([...(await read("docs/guide.md")).matchAll(/Alt\+Shift\+\w/g)].map(([key]) => key))
  const { commands } = await manifestFor("chrome")
  expect(told).toEqual(new Set(Object.values(commands).map((command) => command.suggested_key.default)))
})

it("tells reviewers in the README of the permissions that the manifest has", async () => {
  const [, told] = /\*\*Asked for at install\*\*: (.*)/.exec(await read("README.md")) ?? []
  const names = [...told!.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(names).toEqual(Object.keys({ ...permissions, ...permissionsOf.chrome, ...permissionsOf.firefox }))
})

describe("what is said of saved data", () => {
  it("says that contracts are not encrypted, and that the key can be recovered from the profile's files", async () => {
    const flat = (page: string): string => page.replace(/\s+/g, " ")
    const [guide, privacy] = [flat(await read("docs/guide.md")), flat(await read("store", "Privacy.md"))]
    expect(guide).toContain("Saved contracts are not encrypted: anyone who can read the files")
    expect(privacy).toContain("Contracts are not encrypted: anyone who can read the profile's files")
    expect(privacy).toContain(
      "It does not protect it from anyone who can read the files of your browser's profile",
    )
    expect(messages.keyStorageDeviceMeaning.message).toContain("can recover it")
  })

  it("has the limits that the code has", async () => {
    const guide = await read("docs/guide.md")
    expect(guide).toContain(`a file of up to ${accountLimits.mostFile / 1_000_000} MB`)
    expect([accountLimits.mostAccounts, guide.includes("Twenty accounts")]).toEqual([20, true])
    expect([isAskedAbout(10, 10), isAskedAbout(9, 10), isAskedAbout(8, 9)]).toEqual([false, true, false])
    expect(guide.replace(/\s+/g, " ")).toContain("when it would remove at least ten and more than stay")
  })
})

describe("the pictures", () => {
  it("are ten at most in the README, each with words for those who do not see it", async () => {
    const pictures = [...(await read("README.md")).matchAll(/!\[([^\]]*)\]\((docs\/[^)]+)\)|<img ([^>]*)>/g)]
    expect(pictures.length).toBeGreaterThan(3)
    expect(pictures.length).toBeLessThanOrEqual(10)
    for (const [whole, words] of pictures) expect(words ?? /alt="([^"]+)"/.exec(whole)?.[1]).toMatch(/\w{3}/)
  })

  it("are under four megabytes in all, each state light and dark", async () => {
    const [light, dark] = [await readdir(join(root, "docs/light")), await readdir(join(root, "docs/dark"))]
    const paths = [...light.map((name) => `light/${name}`), ...dark.map((name) => `dark/${name}`)]
    const sizes = await Promise.all(paths.map(async (path) => (await stat(join(root, "docs", path))).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000)
    expect(dark.toSorted()).toEqual(light.toSorted())
  })

  it("are those that a page names, each with its other look", async () => {
    const texts = await Promise.all(pages.map((page) => read(page)))
    const named = texts.join("\n").matchAll(/\b(?:light|dark)\/([\w-]+\.png)/g)
    const wanted = new Set(Array.from(named, ([, picture]) => picture!))
    expect((await readdir(join(root, "docs/light"))).toSorted()).toEqual([...wanted].toSorted())
  })
})
