/**
 * Brings parts of the content script into a page when they are first needed: what draws marks, and what shows details. The background runs
 * each in the page, where all have one global object, which no page sees.
 */
import type { PartName } from "../../messages/ListingMessage.ts"
import type { Channel } from "./Channel.ts"

/** What every part has. */
export interface Part {
  readonly styles: string
}

/** Where a part puts itself. */
const place = (name: PartName): string => `deedkit ${name}`

/** Hands a part to the content script that asked for it. */
export const give = (name: PartName, part: Part): void =>
  void Object.assign(globalThis, { [place(name)]: part })

/**
 * Gives what gives a part, once its styles were taken; null where it cannot be had now, which may be otherwise the next time.
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
