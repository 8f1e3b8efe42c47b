/** Removes badges and the toolbar's number from tabs. All tabs are asked at once, because any page may be too busy to answer. */
import type { ListingNotice } from "../../messages/ListingMessage.ts"
import type { Service } from "../browser/Platform.ts"

/** Sends a notice to tabs after their number on the toolbar was cleared. The number goes first, because a new request of a tab may set it. */
export const quiet = async (
  { send, setCount }: Service["tabs"],
  tabIds: ReadonlyArray<number>,
  notice: ListingNotice,
): Promise<void> => {
  await Promise.all(tabIds.map((tabId) => setCount(tabId, "")))
  send(tabIds, notice)
}
