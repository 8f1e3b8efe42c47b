/** The build takes printing and comparing from values of Effect; what keeps a secret out of a text stays, and another release stops the build. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Plugin } from "vite"
import { expect, it } from "vitest"
import { unprinted } from "../../../bundling/Unprinted.ts"

const require = createRequire(import.meta.url)
const dist = dirname(require.resolve("effect/Effect"))

/** What the plugin makes of a file; throws what it stops the build with. */
const transformed = (code: string, id: string): string | null => {
  const { transform } = unprinted() as Plugin & {
    readonly transform: (code: string, id: string) => { readonly code: string } | null
  }
  const error = (message: string): never => {
    throw new Error(message)
  }
  return transform.call({ error } as never, code, id)?.code ?? null
}

const printing = /^ *(?:toJSON|toString|\[(?:NodeInspectSymbol|Equal\.symbol|Hash\.symbol)\])\(/m
const files = [
  "Context",
  "Duration",
  "internal/core",
  "internal/effect",
  "internal/option",
  "internal/result",
].map((name) => join(dist, `${name}.js`))

it.each(files)("leaves no such method in %s, and every other line as it is", async (id) => {
  const code = await readFile(id, "utf8")
  const without = transformed(code, id)!
  expect(code).toMatch(printing)
  expect(without).not.toMatch(printing)
  const lines = new Set(code.split("\n"))
  expect(without.split("\n").filter((line) => !lines.has(line))).toEqual([])
  const exported = (text: string) => text.match(/^export .*/gm)
  expect(exported(without)).toEqual(exported(code))
})

it.each(files)("stops the build when %s has one method more, or one less", async (id) => {
  const code = await readFile(id, "utf8")
  const more = `${code}\nconst more = {\n  toString() {\n    return ""\n  }\n};\n`
  expect(() => transformed(more, id)).toThrow("methods that print or compare")
  expect(() =>
    transformed(code.replace(/^( *)(toJSON|toString|\[Equal\.symbol\])\(/m, "$1other("), id),
  ).toThrow("methods that print or compare")
})

it("leaves the printed form of a redacted value as it is", async () => {
  const id = join(dist, "Redacted.js")
  const code = await readFile(id, "utf8")
  expect(code).toContain("<redacted")
  expect(transformed(code, id)).toBeNull()
})
