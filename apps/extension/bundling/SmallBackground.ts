/**
 * For the bundler: minifies the background once more. Browsers read it again each time they start it, and terser makes it even smaller than the
 * bundler's own minifier, which is enough for every other file.
 */
import { minify } from "terser"
import type { Plugin } from "vite"

export const smallBackground = (): Plugin => ({
  name: "small-background",
  enforce: "post",
  async generateBundle({ minify: isMinified }, bundle) {
    const background = bundle["background.js"]
    if (background?.type !== "chunk" || isMinified === false) return
    // A comparison packs better if its operands keep their sides.
    const compress = { passes: 3, lhs_constants: false }
    const { code } = await minify(background.code, { ecma: 2020, compress })
    if (code === undefined) this.error("terser made nothing of the background.")
    background.code = code
  },
})
