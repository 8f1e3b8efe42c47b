/**
 * How the habits of users (keys, menus, the address bar, the toolbar) speak to the background: as one of the extension's own pages, through
 * the same gate. Whatever is refused to a page, for being locked or not set up, is refused to them.
 */
import type { Background } from "../background/Background.ts"
import type { PageAnswers, PageRequest, Refusal } from "../messages/PageMessage.ts"
import type { RawSender, Self } from "../messages/Sender.ts"

/** The background's answer to a request of a page; null when it refuses to answer. */
export type Ask = <R extends PageRequest>(request: R) => Promise<PageAnswers[R["type"]] | null>

/** The background itself, as a page of the extension. */
export const senderOf = ({ id, origin }: Self): RawSender => ({ id, origin, url: `${origin}/background` })

export const through =
  ({ onMessage }: Pick<Background, "onMessage">, self: Self): Ask =>
  async (request) =>
    ((await onMessage(request, senderOf(self))) ?? null) as never

/** Whether an answer is what was asked for, and no refusal. */
export const isGiven = <A>(answer: A | Refusal | null): answer is Exclude<A, Refusal> =>
  answer !== null && !(typeof answer === "object" && "_tag" in answer && answer._tag === "Refused")
