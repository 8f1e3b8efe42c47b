/**
 * The script that lets the user choose a link of a page. A page of the extension injects it when the user requests it; it is not used anywhere else.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { begin } from "../page/choose/Choose.ts"

export default defineUnlistedScript(() => begin())
