import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { optionalPermissions, permissions, permissionsOf } from "../../src/Permissions.ts"

const source = join(import.meta.dirname, "..", "..", "src")

const read = async (): Promise<string> => {
  const names = await readdir(source, { recursive: true })
  const files = names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFile(join(source, name), "utf8"))
  return (await Promise.all(files)).join("\n")
}

const all = { ...permissions, ...permissionsOf.chrome, ...permissionsOf.firefox, ...optionalPermissions }

/** What uses a permission; `activeTab` has no calls of its own, and lets the popup see the address of the tab that it stands over. */
const uses: { readonly [Name in keyof typeof all]: RegExp } = {
  storage: /\bbrowser\.storage\./,
  alarms: /\bbrowser\.alarms\./,
  scripting: /\bbrowser\.scripting\./,
  activeTab: /\bbrowser\.tabs\.query\(\{ active: true/,
  contextMenus: /\bbrowser\.contextMenus\?\./,
  sidePanel: /\bbrowser\.sidePanel\./,
  notifications: /\bbrowser\.notifications\?\.create\(/,
}

/** Parts of the browser that need no permission, as far as they are used. */
const free = ["action", "commands", "i18n", "omnibox", "permissions", "runtime", "tabs", "windows"]

it.each(Object.entries(uses))("uses the permission %s", async (_name, use) => {
  expect(await read()).toMatch(use)
})

it("uses no part of the browser that it has no permission for", async () => {
  const used = [...(await read()).matchAll(/\bbrowser\.([a-z0-9]+)\b/gi)].map(([, name]) => name!)
  const allowed = new Set<string>([...free, ...Object.keys(all)])
  expect([...new Set(used)].filter((name) => !allowed.has(name))).toEqual([])
})

it("sends requests from one place, which is given the address", async () => {
  const calls = [...(await read()).matchAll(/(?<![.\w])fetch\(.*/g)].map(([call]) => call)
  expect(calls).toEqual([`fetch(request, { cache: "no-store", referrerPolicy: "no-referrer" }),`])
  expect(await read()).not.toMatch(/XMLHttpRequest|sendBeacon|WebSocket|EventSource/)
})

it("keeps nothing where content scripts can read it", async () => {
  expect(await read()).not.toMatch(/storage\.(?:local|sync|managed)\b/)
})
