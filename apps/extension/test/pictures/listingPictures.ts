/**
 * Takes the pictures of what the extension shows on a listing site, in `docs`: badges on cards, the card at a badge, the panel on a listing's
 * own page, each light and dark. Run by `node --conditions=@deedkit/source test/pictures/listingPictures.ts`.
 */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Browsers from "../e2e/browsers/Browsers.ts"
import { build } from "../e2e/browsers/Build.ts"
import { until } from "../e2e/browsers/Driver.ts"
import * as Marks from "../e2e/Marks.ts"
import * as World from "../e2e/World.ts"

/** What a picture may weigh. */
const mostBytes = 60_000

const folder = process.env["DEEDKIT_PICTURES"] ?? join(import.meta.dirname, "..", "..", "docs")
await mkdir(folder, { recursive: true })
const kind = Browsers.chromium()
const extension = await build(kind.target)
const world = await World.make(kind, extension, { contracts: 250 })
const { driver, page, site } = world
try {
  await world.setUp()
  const index = `${site}/`
  const tab = await driver.open(index)
  await tab.resize(820, 560)
  const keep = async (name: string): Promise<void> => {
    for (const scheme of ["light", "dark"] as const) {
      await tab.setScheme(scheme)
      const picture = await tab.screenshot()
      await writeFile(join(folder, `listing-${name}-${scheme}.png`), picture)
      const weight = `${Math.ceil(picture.byteLength / 1_000)} kB`
      if (picture.byteLength > mostBytes) process.exitCode = 1
      console.log(
        `listing-${name}-${scheme}.png ${weight}${picture.byteLength > mostBytes ? ": too heavy" : ""}`,
      )
    }
  }
  const shown = (url: string, isThere: (marks: Marks.Marks) => boolean) =>
    until("what is pictured", () => Marks.look(page, url), isThere)

  const { badges } = await shown(index, (marks) => marks.badges.length > 10)
  await keep("badges")
  for (let presses = 0; presses < 4; presses++) await tab.press("Tab")
  await shown(index, ({ card }) => card !== null && card !== "")
  await keep("card")
  const home = site + badges[1]!.path
  await tab.goTo(home)
  await shown(home, ({ panel }) => panel !== null)
  await keep("pill")
  await Marks.press(page, tab, home)
  await shown(home, ({ panel }) => /As of/.test(panel?.text ?? ""))
  await keep("panel")
} finally {
  await world.close()
  await rm(dirname(extension), { recursive: true, force: true })
}
