/**
 * The part of the content script that draws marks. The background injects it into a page when the page's content script first requests it.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { give } from "../page/lookup/Part.ts"
import { engine } from "../page/marks/Marks.ts"

export default defineUnlistedScript(() => give("marks", engine))
