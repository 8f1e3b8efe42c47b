/**
 * The script that shows details: the panel and the content of cards. The background injects it into a page when the page's content script first
 * requests it.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { detailsPlace } from "../messages/ListingMessage.ts"
import { details } from "../page/panel/Details.ts"

export default defineUnlistedScript(() => void Object.assign(globalThis, { [detailsPlace]: details }))
