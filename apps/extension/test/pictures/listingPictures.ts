/**
 * Takes pictures of what the extension shows on a listing site: badges on cards, the card at a badge, the panel on a listing's own page, each
 * light and dark. Run by `node --conditions=@deedkit/source test/pictures/listingPictures.ts`.
 */
import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import * as Browsers from "../e2e/browsers/Browsers.ts"
import { build } from "../e2e/browsers/Build.ts"
import * as Marks from "../e2e/Marks.ts"
import * as World from "../e2e/World.ts"
import { keep } from "./PictureFolder.ts"

const kind = Browsers.chromium()
const extension = await build(kind.target)
const world = await World.make(kind, extension, { contracts: 250 })
const { driver, page, site } = world
try {
  await world.setUp()
  const index = `${site}/`
  const tab = await driver.open(index)
  await tab.resize(820, 560)
  const take = async (name: string): Promise<void> => {
    for (const look of ["light", "dark"] as const) {
      await tab.setScheme(look)
      await keep(`listing-${name}`, look, await tab.screenshot())
    }
  }

  const { badges } = await Marks.shown(page, index, (marks) => marks.badges.length > 2)
  await take("badges")
  for (let presses = 0; presses < 4; presses++) await tab.press("Tab")
  await Marks.shown(page, index, ({ card }) => card !== null && card !== "")
  await take("card")
  const home = site + badges[1]!.path
  await tab.goTo(home)
  await Marks.shown(page, home, ({ panel }) => panel !== null)
  await take("pill")
  await Marks.press(page, tab, home)
  await Marks.shown(page, home, ({ panel }) => /Synced/.test(panel?.text ?? ""))
  await take("panel")
} finally {
  await world.close()
  await rm(dirname(extension), { recursive: true, force: true })
}
