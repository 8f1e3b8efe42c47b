/**
 * Checks values that claim to be messages of one of the extension's own pages. These are trusted more than a web site, but shapes and sizes
 * are checked all the same.
 */
import { mostPatterns } from "../address/LinkPattern.ts"
import type { PageRequest } from "./PageMessage.ts"
import { address, settings } from "./SettingsShape.ts"
import * as Shape from "./Shape.ts"
import { accountLimits } from "./AccountMessage.ts"

const name = Shape.text(accountLimits.mostName)
const id = Shape.text(40, 1)

export { leastRefreshMinutes, mostRefreshMinutes } from "./SettingsShape.ts"

/** Whether a value is a request of one of the extension's pages. */
export const isPageRequest = Shape.byType<PageRequest>({
  "page.state": Shape.object({}),
  "page.refresh": Shape.object({ id: Shape.integer(1) }),
  "page.setAddress": Shape.object({ baseUrl: address }),
  "page.setKey": Shape.object({ key: Shape.text(5_000) }),
  "page.forgetKey": Shape.object({}),
  "page.setSettings": Shape.object({ settings: Shape.partial(settings) }),
  "page.addSite": Shape.object({ origin: address }),
  "page.removeSite": Shape.object({ origin: address }),
  "page.switchSite": Shape.object({ origin: address, isOn: Shape.yesOrNo }),
  "page.showOnce": Shape.object({ tabId: Shape.integer(0), origin: address }),
  "page.setPatterns": Shape.object({
    origin: address,
    patterns: Shape.listOf(Shape.text(500), mostPatterns),
  }),
  "page.linkPage": Shape.object({ url: Shape.text(10_000), listing: Shape.orNull(Shape.integer(0)) }),
  "page.sync": Shape.object({}),
  "page.looked": Shape.object({}),
  "page.watch": Shape.object({ id: Shape.integer(1), isWatched: Shape.yesOrNo }),
  "page.readHead": Shape.object({}),
  "page.stopSync": Shape.object({}),
  "page.clear": Shape.object({}),
  "page.addAccount": Shape.object({ name }),
  "page.renameAccount": Shape.object({ id, name }),
  "page.switchAccount": Shape.object({ id }),
  "page.removeAccount": Shape.object({ id }),
  "page.decideList": Shape.object({ id, isUsed: Shape.yesOrNo }),
  "page.importSettings": Shape.object({ text: Shape.text(accountLimits.mostFile) }),
})
