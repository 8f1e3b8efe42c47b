/**
 * Loads the script that shows details into a page when it is first needed. The background runs it in the page, where it shares one global object with
 * the content script that no page can see.
 */
import type { Channel } from "./Ask.ts"
import type { Details } from "./panel/Details.ts"

/** Name of the global that holds what the script gives. */
const place = "deedkit details"

/** Hands the script's functions to the content script that asked for it. */
export const give = (details: Details): void => void Object.assign(globalThis, { [place]: details })

/** Returns a function that loads the script. It gives null if the script is not available now; a later call may succeed. */
export const loadedDetails = (
  channel: Channel,
  take: (details: Details) => void,
): (() => Promise<Details | null>) => {
  let coming: Promise<Details | null> | null = null
  const bring = async (): Promise<Details | null> => {
    const isThere = await channel.ask({ type: "listing.loadDetails" })
    const details = (isThere && (globalThis as { readonly [place]?: Details })[place]) || null
    if (details === null) coming = null
    else take(details)
    return details
  }
  return () => (coming ??= bring())
}
