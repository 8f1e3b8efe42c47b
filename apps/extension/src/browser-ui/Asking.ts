/**
 * How shortcuts, menus, the address bar and the toolbar send requests to the background: as a page of the extension, through the same checks.
 * A request that a page gets no answer to, because Deedkit is not set up, gets no answer here either.
 */
import type { Background } from "../background/Background.ts"
import type { PageAnswers } from "../messages/PageMessage.ts"
import type { PageRequest } from "../messages/Requests.ts"
import type { RawSender, Self } from "../messages/Sender.ts"
import { isUserError } from "../messages/UserError.ts"
import type { UserError } from "../messages/UserError.ts"

/** The background's answer to a request of a page; null for none. */
export type Ask = <R extends PageRequest>(request: R) => Promise<PageAnswers[R["type"]] | null>

/** The background itself, as a page of the extension. */
export const senderOf = ({ id, origin }: Self): RawSender => ({ id, origin, url: `${origin}/background` })

export const through =
  ({ onMessage }: Pick<Background, "onMessage">, self: Self): Ask =>
  async (request) =>
    ((await onMessage(request, senderOf(self))) ?? null) as never

/** Whether an answer is what was asked for, and not an error. */
export const isGiven = <A>(answer: A | UserError | null): answer is Exclude<A, UserError> =>
  answer !== null && !isUserError(answer)
