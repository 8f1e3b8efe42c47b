/**
 * Requests host permissions for pages: one origin at a time, after a click, in a tab. Browsers show the prompt only while the click is being handled,
 * so the request is made before anything is awaited.
 */
import { browser } from "wxt/browser"
import { actionError } from "../../failures/ActionFailure.ts"
import { patternOf } from "../../messages/OriginPattern.ts"
import type { UserError } from "../../messages/PageMessage.ts"
import { text } from "../kit/Message.ts"

/** Asks the user for permission for an origin, and does what needs it; an error if the prompt was declined or could not be shown. */
export const withGrant = async <A>(origin: string, work: () => Promise<A>): Promise<A | UserError> => {
  const wanted = { origins: [patternOf(origin)] }
  const answer = browser.permissions.request(wanted).catch(() => false)
  const isGranted = (await answer) || (await browser.permissions.contains(wanted))
  return isGranted ? work() : actionError(text, "PermissionDenied", [new URL(origin).host])
}
