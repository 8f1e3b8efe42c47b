/** The build starts its two scripts by a plain call, and another release of WXT stops it. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Plugin } from "vite"
import { expect, it } from "vitest"
import { plainEntries } from "../../../bundling/PlainEntries.ts"

const virtual = join(dirname(createRequire(import.meta.url).resolve("wxt")), "virtual")

/** What the plugin makes of a module; throws what it stops the build with. */
const transformed = (code: string, id: string): string | null => {
  const { transform } = plainEntries() as Plugin & {
    readonly transform: (code: string, id: string) => { readonly code: string } | null
  }
  const error = (message: string): never => {
    throw new Error(message)
  }
  return transform.call({ error } as never, code, id)?.code ?? null
}

it.each(["background", "unlisted-script"])("keeps the call of WXT's %s and nothing else", async (kind) => {
  const id = `\0virtual:wxt-${kind}-entrypoint?/src/entrypoints/one.ts`
  const code = await readFile(join(virtual, `${kind}-entrypoint.mjs`), "utf8")
  expect(transformed(code, id)).toBe(
    `import definition from "virtual:user-${kind}-entrypoint";\nexport default definition.main()\n`,
  )
  const another = code.replace("result = definition.main()", "result = start(definition)")
  expect(() => transformed(another, id)).toThrow("starts its script otherwise now")
})

it("leaves every other module alone", () => {
  expect(transformed("export const one = 1\n", "/src/entrypoints/background.ts")).toBeNull()
})
