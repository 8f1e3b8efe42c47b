/** The words that people see on the extension's pages, by their names in the message file, so that a test holds when they are put better. */
import messages from "../../public/_locales/en/messages.json" with { type: "json" }
import type { MessageName } from "../../src/BrowserNames.ts"
import { until } from "./browsers/Driver.ts"
import type { Tab } from "./browsers/Driver.ts"

/** A message, with values for its placeholders in the order in which they stand. */
export const said = (name: MessageName, ...values: ReadonlyArray<string>): string => {
  let at = 0
  return messages[name].message.replace(/\$[A-Z]+\$/g, () => values[at++] ?? "")
}

/** Everything that a tab's page shows as text. */
export const textOf = (tab: Tab): Promise<string> =>
  tab.evaluate(() => (document.body as HTMLElement | null)?.innerText ?? "")

/** The page's text, once these words are in it. A page that nobody sees is told of no state, so it comes to the front. */
export const seen = async (tab: Tab, words: string, withinMillis?: number): Promise<string> => {
  await tab.show()
  return until(
    `"${words}" on the page`,
    () => textOf(tab),
    (text) => text.includes(words),
    withinMillis,
  )
}
