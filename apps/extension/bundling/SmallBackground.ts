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
    // What is compared packs better on its own side of a comparison.
    const compress = { passes: 3, lhs_constants: false }
    const { code } = await minify(background.code, { ecma: 2020, compress })
    if (code === undefined) this.error("terser made nothing of the background.")
    background.code = code
  },
})
