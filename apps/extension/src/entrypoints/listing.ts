/**
 * The content script. The background registers it, by its file name, for the sites that the user granted, and it runs nowhere else: the manifest
 * names no site and no content script. Its implementation is in `page/`.
 */
import { defineUnlistedScript } from "wxt/utils/define-unlisted-script"
import { connect } from "../page/Ask.ts"
import { attach, beginLifetime } from "../page/ListingPage.ts"

export default defineUnlistedScript(() => {
  const run = (): void => {
    // A document such as an SVG image or a feed has no place for the extension's element.
    if (!(document.documentElement instanceof HTMLElement)) return
    const { check, end, signal } = beginLifetime()
    attach(connect(check), signal, () => {
      end()
      run()
    })
  }
  run()
})
