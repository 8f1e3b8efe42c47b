/**
 * Checks what claims to be a message of one of the extension's own pages. They are trusted more than a web site, and no more than that:
 * shapes and sizes are checked all the same.
 */
import type { Settings } from "./AppState.ts"
import type { PageRequest } from "./PageMessage.ts"
import * as Shape from "./Shape.ts"

/** Shortest interval between walks that can be chosen, in minutes. */
export const leastRefreshMinutes = 5

/** The longest one: a month. */
export const mostRefreshMinutes = 31 * 24 * 60

const address = Shape.text(2_000)

const settings: Shape.Shape<Partial<Settings>> = Shape.partial({
  theme: Shape.oneOf("system", "light", "dark"),
  refreshMinutes: Shape.orNull(Shape.integer(leastRefreshMinutes, mostRefreshMinutes)),
  toolbarCount: Shape.yesOrNo,
  keyStorage: Shape.oneOf("device", "session"),
})

/** Whether a value is a request of one of the extension's pages. */
export const isPageRequest = Shape.byType<PageRequest>({
  "page.state": Shape.object({}),
  "page.search": Shape.object({
    text: Shape.text(500),
    by: Shape.oneOf("any", "id", "listing", "unit", "city", "status"),
    limit: Shape.integer(1, 500),
  }),
  "page.listingAt": Shape.object({ url: Shape.text(10_000) }),
  "page.contract": Shape.object({ id: Shape.integer(1), refresh: Shape.yesOrNo }),
  "page.setAddress": Shape.object({ baseUrl: address }),
  "page.setKey": Shape.object({ key: Shape.text(5_000) }),
  "page.forgetKey": Shape.object({}),
  "page.setSettings": Shape.object({ settings }),
  "page.addSite": Shape.object({ origin: address }),
  "page.removeSite": Shape.object({ origin: address }),
  "page.switchSite": Shape.object({ origin: address, isOn: Shape.yesOrNo }),
  "page.setPatterns": Shape.object({ origin: address, patterns: Shape.listOf(Shape.text(500), 50) }),
  "page.walk": Shape.object({}),
  "page.stopWalk": Shape.object({}),
  "page.apiKeys": Shape.object({}),
  "page.clear": Shape.object({}),
})
