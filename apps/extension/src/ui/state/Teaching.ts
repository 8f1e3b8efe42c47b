/** Starts the choice of a link that becomes a pattern, from the popup. */
import * as Tab from "./Tab.ts"

/** Lets the user choose a link of the page in front, which stays in front; the waiting page comes to the front with the choice. */
export const begin = async (site: string): Promise<void> =>
  Tab.open(`/teach.html?${new URLSearchParams({ tab: `${await Tab.currentId()}`, site })}`, false)
