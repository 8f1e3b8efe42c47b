/**
 * Loads parts of the content script into a page when they are first needed: one that draws marks, and one that shows details. The background
 * runs each in the page, where all share one global object that no page can see.
 */
import type { PartName } from "../../messages/ListingMessage.ts"
import type { Channel } from "./Channel.ts"

/** The members of every part. */
export interface Part {
  readonly styles: string
}

/** Name of the global that holds a part. */
const place = (name: PartName): string => `deedkit ${name}`

/** Hands a part to the content script that asked for it. */
export const give = (name: PartName, part: Part): void =>
  void Object.assign(globalThis, { [place(name)]: part })

/**
 * Returns a function that loads a part and hands over its styles. It gives null if the part is not available now; a later call may succeed.
 */
export const make = <P extends Part>(
  name: PartName,
  channel: Channel,
  take: (styles: string) => void,
): (() => Promise<P | null>) => {
  let coming: Promise<P | null> | null = null
  const bring = async (): Promise<P | null> => {
    const isThere = await channel.ask({ type: "listing.show", part: name })
    const part = isThere === true && (globalThis as { readonly [name: string]: unknown })[place(name)]
    if (part) take((part as P).styles)
    else coming = null
    return (part as P) || null
  }
  return () => (coming ??= bring())
}
