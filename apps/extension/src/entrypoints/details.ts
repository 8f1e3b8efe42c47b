/**
 * The part of the content script that shows details: the panel, and what is in a card. The background brings it into a page when the page's
 * content script first asks for it. Both have one global object, which no page sees.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { parts } from "../page/panel/Parts.ts"

export default defineUnlistedScript(() => {
  Object.assign(globalThis, { deedkitParts: parts })
})
