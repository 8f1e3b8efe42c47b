/**
 * The part of the content script that shows details: the panel and the content of cards. The background injects it into a page when the page's
 * content script first requests it.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { give } from "../page/lookup/Part.ts"
import { parts } from "../page/panel/Parts.ts"

export default defineUnlistedScript(() => give("details", parts))
