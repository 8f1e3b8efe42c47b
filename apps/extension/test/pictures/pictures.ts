/**
 * Takes pictures of the extension's pages, each light and dark. Arguments choose scenes by the start of their names,
 * `node --conditions=@deedkit/source test/pictures/pictures.ts popup-sync`; without arguments, all scenes that are pictured are taken. `--all`
 * adds the others.
 */
import { chromium } from "../e2e/browsers/Browsers.ts"
import { build } from "../e2e/browsers/Build.ts"
import * as Gallery from "../ui/gallery/Gallery.ts"
import { phoneScenes } from "../ui/gallery/PhoneScenes.ts"
import { lighter } from "./Png.ts"
import { scenes } from "../ui/gallery/Scenes.ts"
import { keep } from "./PictureFolder.ts"

const { program } = chromium()
if (program === undefined)
  throw new Error("Pictures are taken in Chromium, which is not installed. Install it.")
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const takesAll = process.argv.includes("--all")

const gallery = await Gallery.make(program, await build("chrome"))
for (const scene of [...scenes, ...phoneScenes]) {
  const name = `${scene.page}-${scene.name}`
  if (!takesAll && scene.isPictured === false) continue
  if (wanted.length > 0 && !wanted.some((word) => name.startsWith(word))) continue
  for (const look of ["light", "dark"] as const) {
    const page = await gallery.open(scene, look)
    const picture = lighter(await page.screenshot(scene.page === "welcome"))
    await keep(name, look, picture)
  }
}
await gallery.close()
