/**
 * For the bundler: starts the background and the content script by a plain call. WXT catches what they throw to log it to a console, which is
 * silent in this build, and throws it again.
 */
import type { Plugin } from "vite"

const entry = /^\0?virtual:wxt-(?:background|unlisted-script)-entrypoint\?/
const imported = /^import definition from [^\n]+\n/m
const started = "result = definition.main()"

export const plainEntries = (): Plugin => ({
  name: "plain-entries",
  enforce: "pre",
  transform(code, id) {
    if (!entry.test(id)) return null
    const [definition] = imported.exec(code) ?? []
    if (definition === undefined || !code.includes(started)) {
      this.error(`${id} starts its script otherwise now: look for what it has to do.`)
    }
    return { code: `${definition}export default definition.main()\n`, map: null }
  },
})
