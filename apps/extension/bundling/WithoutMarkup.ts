/**
 * For the bundler: removes from Preact the one way by which a text becomes markup. The extension does not use it, the pages' own policy forbids
 * it, and stores ask about every place where it occurs. Such a text is shown as text instead, which is harmless.
 */
import type { Plugin } from "vite"

const preact = /[\\/]preact[\\/]dist[\\/]preact\.m?js$/
const markup = ".innerHTML"

export const withoutMarkup = (): Plugin => ({
  name: "preact-without-markup",
  enforce: "pre",
  transform(code, id) {
    if (!preact.test(id.split("?", 1)[0]!)) return null
    if (!code.includes(markup)) {
      this.error(`${id} writes no markup any more: take this plugin out, or look for where it does now.`)
    }
    return { code: code.replaceAll(markup, ".textContent"), map: null }
  },
})
