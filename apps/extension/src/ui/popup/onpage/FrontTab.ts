/**
 * The popup's access to the content script of the tab in front: the listings of its page, and scrolling to a card. If there is no such script or its
 * answer is invalid, the result is empty.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import { browser } from "wxt/browser"
import { isTabAnswer, isText, membersOf } from "../../../messages/TabMessage.ts"
import type { PageCards, TabAnswers, TabRequest } from "../../../messages/TabMessage.ts"
import * as PageLinks from "../../options/sites/PageLinks.ts"
import * as Tab from "../../state/Tab.ts"

/** Delays after which the script is asked again: in a page that was just loaded, it knows its listings a little later. */
const againMillis = [1_000, 4_000]

/** Most links that are looked at and most cards of a page; longest address, title and text of a card, in UTF-16 units. */
export const cardLimits = {
  links: 1_000,
  cards: PageLinks.mostLinks,
  address: PageLinks.longestAddress,
  title: 160,
  words: 400,
}

const none: PageCards = { cards: [], total: 0 }

const ask = async <Request extends TabRequest>(
  request: Request,
): Promise<TabAnswers[Request["type"]] | null> => {
  try {
    const answer: unknown = await browser.tabs.sendMessage(await Tab.currentId(), request, { frameId: 0 })
    return isTabAnswer[request.type](answer) ? (answer as TabAnswers[Request["type"]]) : null
  } catch {
    return null
  }
}

/** The addresses of the links of the page in front. */
export const links = async (): Promise<ReadonlyArray<string>> => PageLinks.ofTab(await Tab.currentId())

/** A card of the page: the address of its link, what it is called, and its words. */
interface LinkedCard {
  readonly address: string
  readonly title: string
  readonly words: string
}

const isLinkedCard = (value: unknown): value is LinkedCard => {
  const card = membersOf(value, "address", "title", "words")
  return (
    card !== null &&
    PageLinks.areAddresses([card.address]) &&
    isText(card.title, cardLimits.title) &&
    isText(card.words, cardLimits.words)
  )
}

/** The cards of the page in front, one for each address of its site; none if the browser does not let anyone read them. */
export const linkedCards = async (): Promise<ReadonlyArray<LinkedCard>> => {
  const read = (limits: typeof cardLimits) => {
    const { baseURI } = document
    const links = [...document.querySelectorAll("a[href]")].slice(0, limits.links)
    const pathOf = new Map<Element, readonly [address: string, path: string, shape: string]>()
    for (const link of links) {
      const href = link.getAttribute("href") ?? ""
      if (!URL.canParse(href, baseURI)) continue
      const { hash, origin, pathname, search } = new URL(href, baseURI)
      const [first = "", ...others] = pathname.split("/").filter(Boolean)
      if (origin !== location.origin || pathname + search + hash === "") continue
      pathOf.set(link, [
        pathname + search + hash,
        pathname + search,
        `${others.length} ${others.length > 0 ? first : ""}`,
      ])
    }
    /** The page of each kind that is linked in an element; null for several. */
    const pagesIn = new Map<Element, Map<string, string | null>>()
    for (const [link, [, path, shape]] of pathOf) {
      for (let at = link.parentElement; at !== null; at = at.parentElement) {
        const pages = pagesIn.get(at) ?? new Map<string, string | null>()
        const before = pages.get(shape)
        if (before === null || before === path) break
        pagesIn.set(at, pages.set(shape, before === undefined ? path : null))
      }
    }
    const wordsOf = (element: Element, most: number): string =>
      (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, most)
    const cards = new Map<string, LinkedCard>()
    for (const [link, [address, path, shape]] of pathOf) {
      if (address.length > limits.address) continue
      // Up to where another page of this kind is linked.
      let card = link
      for (
        let parent = card.parentElement;
        parent !== null && parent !== document.body;
        parent = parent.parentElement
      ) {
        const isShared = pagesIn.get(parent)?.get(shape) === null
        if (isShared || parent.matches("main,ul,ol,table,tbody,nav,header,footer")) break
        card = parent
      }
      const words = wordsOf(card, limits.words)
      const heading = card.querySelector("h1,h2,h3,h4,h5,h6,[role=heading]") ?? link
      const title = wordsOf(heading, limits.title) || wordsOf(link, limits.title)
      if (words.length > (cards.get(path)?.words.length ?? 0)) cards.set(path, { address, title, words })
    }
    return [...cards.values()].slice(0, limits.cards)
  }
  const target = { tabId: await Tab.currentId() }
  const [answer] = await browser.scripting
    .executeScript({ target, func: read, args: [cardLimits] })
    .catch(() => [])
  const result: unknown = answer?.result
  return Array.isArray(result) && result.length <= PageLinks.mostLinks && result.every(isLinkedCard)
    ? result
    : []
}

/** Scrolls to a listing of the page; false if it currently has no card there. */
export const show = async (id: number): Promise<boolean> => (await ask({ type: "tab.show", id })) ?? false

/**
 * The listings of the page in front; null until they are known. They are requested again when another page comes to the front, when the user
 * returns to the popup's own page, and when the patterns of the site have changed.
 */
export const useCards = (patterns?: ReadonlyArray<string>): PageCards | null => {
  const [cards, setCards] = useState<PageCards | null>(null)
  const known = useRef("")
  useEffect(() => {
    /** Increases with each request; the answer to an earlier request can come from another tab. */
    let asked = 0
    let timers: ReadonlyArray<ReturnType<typeof setTimeout>> = []
    const look = async (): Promise<void> => {
      const current = ++asked
      const now = (await ask({ type: "tab.cards" })) ?? none
      const text = JSON.stringify(now)
      if (current !== asked || text === known.current) return
      known.current = text
      setCards(now)
    }
    const lookAgain = (): void => void look()
    const arrive = (): void => {
      lookAgain()
      timers.forEach(clearTimeout)
      timers = againMillis.map((millis) => setTimeout(lookAgain, millis))
    }
    const end = Tab.follow(arrive)
    const page = document.documentElement
    page.addEventListener("pointerenter", lookAgain)
    window.addEventListener("focus", lookAgain)
    return () => {
      asked = 0
      timers.forEach(clearTimeout)
      page.removeEventListener("pointerenter", lookAgain)
      window.removeEventListener("focus", lookAgain)
      end?.()
    }
  }, [patterns?.join(" ")])
  return cards
}
