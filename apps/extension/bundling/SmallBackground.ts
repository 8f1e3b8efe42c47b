/**
 * For the bundler: minifies the background once more. Browsers read it again each time that they start it, and terser makes it smaller still
 * than the bundler's own minifier does, which for every other file is enough.
 */
import { minify } from "terser"
import type { Plugin } from "vite"

export const smallBackground = (): Plugin => ({
  name: "small-background",
  enforce: "post",
  async generateBundle({ minify: isMinified }, bundle) {
    const background = bundle["background.js"]
    if (background?.type !== "chunk" || isMinified === false) return
    const { code } = await minify(background.code, { ecma: 2020, compress: { passes: 3 } })
    if (code === undefined) this.error("terser made nothing of the background.")
    background.code = code
  },
})
