/** The way from the popup to a link that becomes a pattern. */
import * as Tab from "./Tab.ts"

/** Lets the user choose a link of the page in front, which stays there; the page that waits for it comes to the front with the choice. */
export const begin = async (site: string): Promise<void> =>
  Tab.open(`/teach.html?${new URLSearchParams({ tab: `${await Tab.currentId()}`, site })}`, false)
