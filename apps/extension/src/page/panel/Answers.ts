/** Answers the extension's own pages, which ask for the listings of the page in front and to show one. No other sender is answered. */
import { browser } from "wxt/browser"
import * as Sender from "../../messages/Sender.ts"
import type { RawSender } from "../../messages/Sender.ts"
import { isTabRequest } from "../../messages/TabMessage.ts"
import type { TabAnswers, TabRequest } from "../../messages/TabMessage.ts"
import type { Marks } from "../marks/Marks.ts"
import * as Cards from "./Cards.ts"
import * as Frame from "./Frame.ts"

type Answer = TabAnswers[TabRequest["type"]]

/** Answers until the signal ends it. */
export const give = (
  root: ShadowRoot,
  marks: Pick<Marks, "all" | "listingOf">,
  signal: AbortSignal,
): void => {
  const cards = Cards.make(marks)
  const self = { id: browser.runtime.id, origin: browser.runtime.getURL("").replace(/\/$/, "") }
  const answer = (request: TabRequest): Answer => {
    if (request.type === "tab.cards") return cards.list()
    const card = cards.find(request.id)
    if (card !== null) Frame.show(root, card)
    return card !== null
  }
  const hear = (message: unknown, sender: RawSender, respond: (answer: Answer) => void): void => {
    if (Sender.of(sender, self)?._tag === "Page" && isTabRequest(message)) respond(answer(message))
  }
  browser.runtime.onMessage.addListener(hear)
  signal.addEventListener("abort", () => browser.runtime?.onMessage.removeListener(hear))
}
