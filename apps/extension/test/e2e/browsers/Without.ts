/**
 * Makes an extension of another one that finds parts of its browser missing, as it would in a browser that has fewer. Neither the manifest names
 * them nor the scripts of background and pages see them.
 */
import { cp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

const script = "without.js"

/** Members of the manifest, by the part that they belong to. */
const members: { readonly [part: string]: string } = {
  commands: "commands",
  omnibox: "omnibox",
  sidebarAction: "sidebar_action",
  sidePanel: "side_panel",
}

/** Hides the parts from all scripts that come after it. */
const hiding = (parts: ReadonlyArray<string>): string => `{
  const parts = new Set(${JSON.stringify(parts)})
  for (const name of ["browser", "chrome"]) {
    const whole = globalThis[name]
    const value = whole && new Proxy({}, { get: (_, part) => (parts.has(part) ? undefined : whole[part]) })
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
}
`

/** Writes the extension of a folder into another, empty one. */
export const write = async (from: string, to: string, parts: ReadonlyArray<string>): Promise<void> => {
  await cp(from, to, { recursive: true })
  const change = async (name: string, by: (text: string) => string): Promise<void> =>
    writeFile(join(to, name), by(await readFile(join(to, name), "utf8")))
  await writeFile(join(to, script), hiding(parts))
  await change("background.js", (text) => hiding(parts) + text)
  await change("manifest.json", (text) => {
    const hidden = new Set(parts.map((part) => members[part]))
    const kept = Object.entries(JSON.parse(text) as object).filter(([member]) => !hidden.has(member))
    return JSON.stringify(Object.fromEntries(kept))
  })
  for (const name of await readdir(to))
    if (name.endsWith(".html"))
      await change(name, (text) => text.replace("<title>", `<script src="/${script}"></script><title>`))
}
