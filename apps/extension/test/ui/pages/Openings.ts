/**
 * Looks every page over in languages beside English: words are longer there, and none may leave its place or push the page wider than
 * its window. What comes of a user's steps is looked over in English, whose words the steps look for.
 */
import { expect } from "vitest"
import { it, lookOver } from "./GalleryTest.ts"
import type { Language, Scene } from "../gallery/Scene.ts"
import { scenes } from "../gallery/Scenes.ts"
import type { Visit } from "../gallery/Visit.ts"

/**
 * Every page as it opens, once for each connection, sync, size and smaller list: what its users do there afterwards is looked for by English words, and comes
 * in English.
 */
const openings = new Map(
  scenes
    .filter(({ direction }) => direction === undefined)
    .map(({ address = "", name, page, size, tab = null, world }) => {
      const { index, connection, sync } = world.state
      const opened: Scene = { page, name, address, world, tab, ...(size === undefined ? {} : { size }) }
      const { completedAt, smaller } = index
      const state = [connection._tag, sync._tag, completedAt === null, smaller === null]
      return [[page, size, ...state].join(), opened] as const
    }),
)
export const all = [...openings.values()]
export const firsts = [
  ...new Map(all.toReversed().map((scene) => [`${scene.page} ${scene.size?.join()}`, scene])).values(),
]

/**
 * What does not fit: the page itself where it is wider than its window or fills less than half of it, every control or heading that is wider than its place, and every word
 * of them that is broken in two. Also what languages do at the end of a sentence: an abbreviation's stop and the sentence's own are one.
 */
const misfits = (page: Visit): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const parts = [
      ...document.querySelectorAll<HTMLElement>("button, label, legend, h1, h2, h3, dt, header p, header li"),
    ]
    const wide = parts.filter((part) => part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1)
    const isBroken = (node: Text, word: RegExpMatchArray): boolean => {
      const range = document.createRange()
      range.setStart(node, word.index!)
      range.setEnd(node, word.index! + word[0].length)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
    }
    const broken = parts.flatMap((part) =>
      [...part.childNodes].flatMap((node) =>
        node instanceof Text ? [...node.data.matchAll(/\S+/g)].filter((word) => isBroken(node, word)) : [],
      ),
    )
    const main = document.querySelector("main") ?? document.body
    return [
      ...(main.clientWidth < clientWidth / 2 ? [`main is ${main.clientWidth} pixels wide`] : []),
      ...(scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth} pixels`] : []),
      ...wide.map((part) => `${part.tagName.toLowerCase()}: ${part.textContent}`),
      ...broken.map(([word]) => `broken: ${word}`),
      ...(document.body.innerText.match(/\p{L}\.\.(?=\s|$)/gu) ?? []).map((end) => `two stops: ${end}`),
    ]
  })

/** Tests of a language, a file each. */
export const looksOver = (language: Language, openings: ReadonlyArray<Scene>): void => {
  lookOver(`in ${language}`, () => {
    it.for(openings.map((scene) => [`${scene.page} ${scene.name}`, scene] as const))(
      "%s",
      async ([, scene], { gallery }) => {
        const page = await gallery.open({ ...scene, language }, "light")
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language.replace("_", "-"))
        expect(await misfits(page)).toEqual([])
      },
    )
  })
}
