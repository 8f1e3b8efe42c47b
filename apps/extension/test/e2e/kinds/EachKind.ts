/**
 * Marks on pages as sites build them: each card that is seen has one mark, in its place, nothing else has one, and the page stays as it is, but
 * for one element and a comment behind its body.
 */
import { afterAll, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import { judge, settle } from "./Judge.ts"
import { pageKinds } from "./PageKinds.ts"
import * as Site from "./Site.ts"

/** What a page finds of itself: whether it is as the server sent it, what stands behind its body, and what it would be without that. */
const inspect = async () => {
  const sent = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html")
  const root = document.documentElement
  const copy = root.cloneNode(true) as Element
  const nodes = [...copy.childNodes]
  const added = nodes.slice(nodes.findIndex(({ nodeName }) => nodeName === "BODY") + 1)
  for (const one of added) one.remove()
  const host = root.lastElementChild!
  const sizes = () => [root.scrollWidth, root.scrollHeight].join()
  const size = sizes()
  const isHost = host !== document.body
  if (isHost) host.remove()
  const alone = sizes()
  if (isHost) root.append(host)
  const { shifts } = window as unknown as { readonly shifts: ReadonlyArray<number> }
  return {
    added: added.map((one) => new XMLSerializer().serializeToString(one)),
    isAsSent: copy.outerHTML === sent.documentElement.outerHTML,
    isAsLarge: size === alone,
    shift: shifts.reduce((sum, one) => sum + one, 0),
  }
}

/** Tests pages of these kinds. */
export const eachStaysAsItIs = (names: ReadonlyArray<string>): void => {
  scenario("on a page that is", () => {
    let site: Site.Site
    it.beforeAll(async ({ enter }) => {
      site = await Site.open(enter, async (path) => pageKinds[path]?.html ?? "")
    }, 120_000)
    afterAll(() => site?.close())

    it.for(names.map((name) => [name, pageKinds[name]!] as const))(
      "%s: each card has one mark, and the page stays as it is",
      async ([name, kind]) => {
        const { origin, tab, world } = site
        const url = `${origin}/${encodeURIComponent(name)}`
        const judged = () => Marks.inTab(world.page, url, judge, Site.blank)
        /** Marks come after a moment: no fault is left then, and none comes. */
        const settled = (when: string) =>
          until(`the marks ${when}`, judged, ({ faults }) => faults.length === 0)
        await tab.goTo(url)
        await tab.evaluate(settle)
        const { right } = await settled("at first")
        expect(right, `marks of ${name}`).toBeGreaterThanOrEqual(kind.least ?? 1)
        const found = await tab.evaluate(inspect)
        expect(found).toEqual({
          added: ["<!--/$-->", '<div xmlns="http://www.w3.org/1999/xhtml"></div>'],
          isAsSent: kind.isScripted !== true,
          isAsLarge: true,
          shift: kind.shifts === true ? expect.any(Number) : 0,
        })
        if (kind.act !== undefined) {
          await tab.run(`(() => { ${kind.act} })()`)
          await tab.evaluate(settle)
          await settled("afterwards")
          expect((await tab.evaluate(inspect)).isAsLarge).toBe(true)
        }
        expect(tab.errors).toEqual([])
      },
    )
  })
}
