/** Brings what shows details into the page, once it is needed. */
import type { Parts } from "./Parts.ts"
import type { Channel } from "../lookup/Channel.ts"

/** The parts; null where they cannot be had now, which may be otherwise the next time. */
export type Details = () => Promise<Parts | null>

export const make = (channel: Channel, root: ShadowRoot): Details => {
  let parts: Parts | null = null
  return async () => {
    if (parts !== null || (await channel.ask({ type: "listing.show" })) !== true || parts !== null)
      return parts
    const found = (globalThis as { readonly deedkitParts?: Parts }).deedkitParts
    if (found === undefined) return null
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(found.styles)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
    return (parts = found)
  }
}
