/**
 * The content script. The background registers it, by its file name, for the sites that the user granted, and it runs nowhere else: the manifest
 * names no site and no content script. Its implementation is in `page/`.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { start } from "../page/ListingPage.ts"

export default defineUnlistedScript(() => start())
