/** Takes badges and the toolbar's number off tabs. Both are asked of all tabs at once, because any page may be too busy to answer. */
import type { ListingNotice } from "../../messages/ListingMessage.ts"
import type { Service } from "../browser/Platform.ts"

/** Says something to tabs of which the toolbar says nothing any more. The number goes first: what a tab asks anew may set it. */
export const quiet = async (
  { send, setCount }: Service["tabs"],
  tabIds: ReadonlyArray<number>,
  notice: ListingNotice,
): Promise<void> => {
  await Promise.all(tabIds.map((tabId) => setCount(tabId, "")))
  send(tabIds, notice)
}
