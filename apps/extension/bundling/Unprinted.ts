/**
 * For the bundler: removes the methods that print, compare and hash values of Effect. The extension prints none of these values, and compares
 * them by reference: see `ByReference`. The forms of a redacted value stay, because they keep a secret out of anything that prints it.
 */
import type { Plugin } from "vite"

const effect = /[\\/]effect[\\/]dist[\\/]([\w/\\]+)\.js$/

/** How many such methods a module has. Another number means another release: look at them again. */
const counts: { readonly [path: string]: number } = {
  Context: 4,
  Duration: 5,
  "internal/core": 26,
  "internal/effect": 4,
  "internal/option": 8,
  "internal/result": 8,
}

const method =
  /^( *)(?:toJSON|toString|\[NodeInspectSymbol\]|\[Equal\.symbol\]|\[Hash\.symbol\])\(\w*\) \{\n(?:[^]*?\n)?\1\},?\n/gm

export const unprinted = (): Plugin => ({
  name: "unprinted",
  enforce: "pre",
  transform(code, id) {
    const name = effect.exec(id.split("?", 1)[0]!)?.[1]?.replaceAll("\\", "/")
    const expected = name === undefined ? undefined : counts[name]
    if (expected === undefined) return null
    let found = 0
    const without = code.replace(method, () => {
      found += 1
      return ""
    })
    if (found !== expected) this.error(`${id} has ${found} methods that print or compare, not ${expected}.`)
    return { code: without, map: null }
  },
})
