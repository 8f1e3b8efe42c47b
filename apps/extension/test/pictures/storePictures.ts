/**
 * Takes the pictures that stores show, into `store/pictures`: five of 1280 by 800 pixels and a tile of 440 by 280, without transparency. Badges and
 * panel are those of the extension in Chromium; the pages are scenes of the gallery. Run by
 * `node --conditions=@deedkit/source test/pictures/storePictures.ts`, after `icons.ts`.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import messages from "../../public/_locales/en/messages.json" with { type: "json" }
import * as Browsers from "../e2e/browsers/Browsers.ts"
import { build } from "../e2e/browsers/Build.ts"
import type { Tab } from "../e2e/browsers/Driver.ts"
import * as Marks from "../e2e/Marks.ts"
import * as World from "../e2e/World.ts"
import * as Gallery from "../ui/gallery/Gallery.ts"
import { scenes } from "../ui/gallery/Scenes.ts"

const root = join(import.meta.dirname, "..", "..")
const folder = join(root, "store", "pictures")
const size = [1280, 800] as const

const keep = async (name: string, picture: Uint8Array): Promise<void> => {
  await writeFile(join(folder, `${name}.png`), picture)
  console.log(`${name}.png ${Math.ceil(picture.byteLength / 1_000)} kB`)
}

const asAddress = (picture: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(picture).toString("base64")}`

/** A listing page with the popup where browsers show it: under its button, at the upper right. */
const withPopup = (page: Uint8Array, popup: Uint8Array): string => `
  <body style="margin: 0; background: url(${asAddress(page)})">
    <img src="${asAddress(popup)}" style="position: absolute; right: 32px; top: 8px; border: 1px solid #b9b5aa;
      border-radius: 8px; box-shadow: 0 12px 32px #0006">`

/** Name and summary beside the icon. */
const tile = (icon: Uint8Array): string => `
  <body style="margin: 0; height: 100vh; display: grid; align-content: center; justify-items: center; gap: 14px; background: #e0f0ef;
    color: #08464c; font: 19px/1.3 system-ui, sans-serif; text-align: center">
    <img src="${asAddress(icon)}" width="96" height="96">
    <b style="font-size: 34px; line-height: 1">${messages.extensionName.message}</b>
    <span style="max-width: 17em">${messages.extensionDescription.message}</span>`

/** Takes out what a machine without fonts of East Asia shows as boxes. */
const takeOutBoxes = (tab: Tab): Promise<void> =>
  tab.evaluate(() => {
    for (const link of document.querySelectorAll("a"))
      if (/[\u3040-\u9fff\uac00-\ud7af]/.test(link.textContent))
        (link.closest("li, article") ?? link).remove()
  })

const kind = Browsers.chromium()
if (kind.program === undefined) throw new Error("Pictures are taken in Chromium, which is not installed.")
await mkdir(folder, { recursive: true })
const extension = await build(kind.target)

const gallery = await Gallery.make(kind.program, extension)
const pictureOf = async (
  name: string,
  look: "light" | "dark",
  of: readonly [number, number],
  search?: string,
) => {
  const scene = scenes.find((known) => `${known.page} ${known.name}` === name)
  if (scene === undefined) throw new Error(`no scene is called ${name}`)
  const page = await gallery.open({ ...scene, size: of }, look)
  if (search !== undefined) {
    await page.fill("Search contracts", search)
    await page.reads("found")
  }
  return page.screenshot()
}
const popup = await pictureOf("popup on-page-entry", "light", [380, 560], "loft")
await keep("sites", await pictureOf("options sites", "light", size))
await keep("export", await pictureOf("export made", "dark", size))
await gallery.close()

const world = await World.make(kind, extension, { contracts: 250 })
const { driver, page, site } = world
try {
  await world.setUp()
  const index = `${site}/`
  const tab = await driver.open(index)
  await tab.resize(...size)
  const { badges } = await Marks.shown(page, index, (marks) => marks.badges.length > 3)
  await takeOutBoxes(tab)
  const plain = await tab.screenshot()
  for (let presses = 0; presses < 4; presses++) await tab.press("Tab")
  await Marks.shown(page, index, ({ card }) => card !== null && card !== "")
  await keep("badges", await tab.screenshot())
  const home = site + badges[1]!.path
  await tab.goTo(home)
  await Marks.shown(page, home, ({ panel }) => panel !== null)
  await Marks.press(page, tab, home)
  await Marks.shown(page, home, ({ panel }) => /Synced/.test(panel?.text ?? ""))
  await takeOutBoxes(tab)
  await keep("panel", await tab.screenshot())

  const drawn = async (html: string): Promise<Uint8Array> => {
    await tab.goTo("about:blank")
    await tab.evaluate(async (given) => {
      document.documentElement.innerHTML = given
      await Promise.all([...document.images].map((image) => image.decode()))
    }, html)
    return tab.screenshot()
  }
  await keep("popup", await drawn(withPopup(plain, popup)))
  await tab.resize(440, 280)
  await keep("tile", await drawn(tile(await readFile(join(root, "public", "icon", "128.png")))))
} finally {
  await world.close()
  await rm(dirname(extension), { recursive: true, force: true })
}
