/**
 * For the bundler: leaves out what reads ahead and looks for styles when a part of a page comes later. Parts are small files of the package
 * itself, and the code for that would weigh more than many a part. Styles are the page's own: a part that brings one along stops the build.
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
