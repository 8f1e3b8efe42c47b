import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import messages from "../../public/_locales/en/messages.json" with { type: "json" }

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

const all = Object.entries(messages as { readonly [key: string]: Message })
const keys = new Set(all.map(([key]) => key))
const folder = join(import.meta.dirname, "..", "..")

const code = async (): Promise<string> => {
  const names = await readdir(join(folder, "src"), { recursive: true })
  const paths = names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, "src", name))
  const files = [...paths, join(folder, "wxt.config.ts")].map((path) => readFile(path, "utf8"))
  return (await Promise.all(files)).join("\n")
}

/** The forms of a plural share the name that the code uses. */
const nameOf = (key: string): string => key.replace(/_(?:one|other)$/, "")

it("has no message that nothing shows", async () => {
  const text = await code()
  const literals = new Set([...text.matchAll(/["`]([A-Za-z]\w*)["`]/g)].map(([, literal]) => literal))
  const ofManifest = new Set([...text.matchAll(/__MSG_(\w+)__/g)].map(([, key]) => key))
  const unused = [...keys].filter(
    (key) => !literals.has(key) && !literals.has(nameOf(key)) && !ofManifest.has(key),
  )
  expect(unused).toEqual([])
})

it("has every message that something shows", async () => {
  const shown = [
    ...(await code()).matchAll(/(?:\b(?:text|plural|getMessage)\(\s*"|__MSG_)(\w+?)(?:"|__)/g),
  ].map(([, key]) => key!)
  expect(shown.length).toBeGreaterThan(100)
  expect(shown.filter((key) => !keys.has(key) && !keys.has(`${key}_other`))).toEqual([])
})

it("has both forms of each plural", () => {
  const forms = [...keys].filter((key) => nameOf(key) !== key)
  expect(forms).not.toEqual([])
  for (const key of forms) expect(keys).toContain(`${nameOf(key)}_${key.endsWith("_one") ? "other" : "one"}`)
})

it("names the places of each message, fills every one, and is never empty", () => {
  const wrong = all.filter(([, { message, placeholders = {} }]) => {
    const named = new Set([...message.matchAll(/\$(\w+)\$/g)].map(([, name]) => name!.toLowerCase()))
    const filled = new Set(Object.keys(placeholders).map((name) => name.toLowerCase()))
    const isFilled = Object.values(placeholders).every(({ content }) => /^\$[1-9]$/.test(content))
    const isNamed = [...named].toSorted().join() === [...filled].toSorted().join()
    return !isNamed || !isFilled || message === "" || message.trim() !== message
  })
  expect(wrong).toEqual([])
})

it("names no flag, variable or command of the command line", () => {
  const named = all.filter(([, { message }]) => /--[a-z]|DEEDKIT_|\bdeedkit [a-z]/.test(message))
  expect(named).toEqual([])
})
