/**
 * Takes the pictures of the extension's pages in `docs`: every state, light and dark. Words after the command choose scenes by their names,
 * `node --conditions=@deedkit/source test/pictures/pictures.ts popup-sync`; without any, all are taken. `--all` takes those that are not kept, too.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { chromium } from "../e2e/browsers/Browsers.ts"
import * as Gallery from "../ui/gallery/Gallery.ts"
import { lighter } from "../ui/gallery/Png.ts"
import { scenes } from "../ui/gallery/Scenes.ts"

/** What a picture may weigh. */
const mostBytes = 60_000

const { program } = chromium()
if (program === undefined) throw new Error("the pictures are taken in Chromium, which is not installed")
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const takesAll = process.argv.includes("--all")
const folder = process.env["DEEDKIT_PICTURES"] ?? join(import.meta.dirname, "..", "..", "docs")

await mkdir(folder, { recursive: true })
const gallery = await Gallery.make(program)
let isTooHeavy = false
for (const scene of scenes) {
  const name = `${scene.page}-${scene.name}`
  if (!takesAll && scene.isPictured === false) continue
  if (wanted.length > 0 && !wanted.some((word) => name.startsWith(word))) continue
  for (const look of ["light", "dark"] as const) {
    const page = await gallery.open(scene, look)
    const path = join(folder, `${name}-${look}.png`)
    const picture = lighter(await page.screenshot({ fullPage: scene.page === "welcome" }))
    await writeFile(path, picture)
    const { byteLength } = picture
    await page.context().close()
    isTooHeavy ||= byteLength > mostBytes
    console.log(
      `${name}-${look}.png ${Math.ceil(byteLength / 1_000)} kB${byteLength > mostBytes ? ": too heavy" : ""}`,
    )
  }
}
await gallery.close()
if (isTooHeavy) process.exitCode = 1
