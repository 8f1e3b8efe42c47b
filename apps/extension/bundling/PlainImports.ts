/**
 * For the bundler: leaves out the code that preloads parts of a page, and looks for their styles, when they are imported later. Parts are small
 * files of the package itself, and that code would be larger than many of them. Styles belong to the page: a part with a style of its own stops
 * the build.
 */
import type { Plugin } from "vite"

const helper = "\0vite/preload-helper.js"
const style = /\.css$/
const entry = /[\\/]src[\\/]entrypoints[\\/]/

export const plainImports = (): Plugin => ({
  name: "plain-imports",
  enforce: "pre",
  load: (id) => (id === helper ? "export const __vitePreload = (load) => load()" : null),
  resolveId(source, importer) {
    if (importer !== undefined && style.test(source) && !entry.test(importer)) {
      this.error(`${importer} brings a style of its own along: import it where its page begins.`)
    }
    return null
  },
})
