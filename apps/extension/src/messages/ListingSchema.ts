/**
 * Checks values that claim to be messages of a content script. A page's renderer may be hostile, so sizes are checked with shapes, and nothing
 * that is not named here is accepted.
 */
import { longestReference, mostPlace, mostReferences } from "./ListingMessage.ts"
import type { ListingRequest } from "./ListingMessage.ts"
import * as Shape from "./Shape.ts"

const reference = Shape.text(longestReference, 1)
const references = Shape.listOf(reference, mostReferences)

/** Whether a value is a request of a content script, of a size that is answered. */
export const isListingRequest = Shape.byType<ListingRequest>({
  "listing.start": Shape.object({}, { references }),
  "listing.lookup": Shape.object({ references }),
  "listing.detail": Shape.object({ reference }),
  "listing.refresh": Shape.object({ reference }),
  "listing.loadDetails": Shape.object({}),
  "listing.place": Shape.object({ place: Shape.integer(0, mostPlace) }),
  "listing.open": Shape.object({ reference }),
})
