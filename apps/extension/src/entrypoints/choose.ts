/**
 * The script that lets the user choose a link of a page. A page of the extension brings it in when the user asks for it, and it is nowhere else.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { begin } from "../page/choose/Choose.ts"

export default defineUnlistedScript(() => begin())
