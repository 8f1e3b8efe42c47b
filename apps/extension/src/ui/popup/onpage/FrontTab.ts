/**
 * The popup's access to the content script of the tab in front: the listings of its page, and scrolling to a card. If there is no such script or its
 * answer is invalid, the result is empty.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import { browser } from "wxt/browser"
import { areAddresses, longestAddress, mostLinks } from "../../../page/choose/Choice.ts"
import { isTabAnswer } from "../../../messages/TabMessage.ts"
import type { PageCards, TabAnswers, TabRequest } from "../../../messages/TabMessage.ts"
import * as Tab from "../../state/Tab.ts"

/** Delays after which the script is asked again: in a page that was just loaded, it knows its listings a little later. */
const againMillis = [1_000, 4_000]

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

/** The addresses of the links of the page in front, from its site's root on, each once; none if the browser does not let anyone read them. */
export const links = async (): Promise<ReadonlyArray<string>> => {
  const read = (longest: number, most: number): ReadonlyArray<string> => {
    const addresses = Array.from(document.querySelectorAll("a[href],area[href]"), (link) => {
      const href = link.getAttribute("href") ?? ""
      if (!URL.canParse(href, document.baseURI)) return ""
      const { hash, origin, pathname, search } = new URL(href, document.baseURI)
      return origin === location.origin ? pathname + search + hash : ""
    })
    return [...new Set(addresses)].filter(({ length }) => length > 0 && length <= longest).slice(0, most)
  }
  const target = { tabId: await Tab.currentId() }
  const args: Parameters<typeof read> = [longestAddress, mostLinks]
  const [answer] = await browser.scripting.executeScript({ target, func: read, args }).catch(() => [])
  return areAddresses(answer?.result) ? answer.result : []
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
