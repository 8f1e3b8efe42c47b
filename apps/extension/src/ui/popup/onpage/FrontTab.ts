/**
 * The content script of the tab in front, as the popup sees it: the listings of its page, and a card brought into view. Where there is no such
 * script, or its answer is not as it should be, there is nothing.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import { browser } from "wxt/browser"
import { isTabAnswer } from "../../../messages/TabMessage.ts"
import type { PageCards, TabAnswers, TabRequest } from "../../../messages/TabMessage.ts"
import * as Tab from "../../state/Tab.ts"

/** Asks once more after so long: the script of a page that was just loaded knows its listings a little later. */
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

/** Brings a listing of the page into view; false where it has no card there now. */
export const show = async (id: number): Promise<boolean> => (await ask({ type: "tab.show", id })) ?? false

/**
 * The listings of the page in front, null until they are known. They are asked for again when another page comes to the front, and when the
 * user comes back to the popup's own page.
 */
export const useCards = (): PageCards | null => {
  const [cards, setCards] = useState<PageCards | null>(null)
  const known = useRef("")
  useEffect(() => {
    /** Rises with each question; the answer to an earlier one may be of another tab. */
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
  }, [])
  return cards
}
