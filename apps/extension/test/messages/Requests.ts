/** One request of each kind that the extension's own pages make, as they make it. The compiler holds that none is missing. */
import type { PageRequest } from "../../src/messages/Requests.ts"

const byType: { readonly [Type in PageRequest["type"]]: Extract<PageRequest, { readonly type: Type }> } = {
  "page.state": { type: "page.state" },
  "page.refresh": { type: "page.refresh", id: 12 },
  "page.setAddress": { type: "page.setAddress", baseUrl: "https://api.example.test" },
  "page.setKey": { type: "page.setKey", key: "some-key" },
  "page.forgetKey": { type: "page.forgetKey" },
  "page.setSettings": { type: "page.setSettings", settings: { theme: "dark", refreshMinutes: 60 } },
  "page.addSite": { type: "page.addSite", origin: "https://homes.example" },
  "page.removeSite": { type: "page.removeSite", origin: "https://homes.example" },
  "page.switchSite": { type: "page.switchSite", origin: "https://homes.example", isOn: false },
  "page.showOnce": { type: "page.showOnce", tabId: 3, origin: "https://homes.example" },
  "page.setPatterns": {
    type: "page.setPatterns",
    origin: "https://homes.example",
    patterns: ["/homes/:slug"],
  },
  "page.sync": { type: "page.sync" },
  "page.looked": { type: "page.looked" },
  "page.linkPage": { type: "page.linkPage", url: "https://homes.example/view/81", listing: 41001 },
  "page.watch": { type: "page.watch", id: 7, isWatched: true },
  "page.readHead": { type: "page.readHead" },
  "page.stopSync": { type: "page.stopSync" },
  "page.clear": { type: "page.clear" },
  "page.addAccount": { type: "page.addAccount", name: "Second" },
  "page.renameAccount": { type: "page.renameAccount", id: "first", name: "Homes" },
  "page.switchAccount": { type: "page.switchAccount", id: "first" },
  "page.decideList": { type: "page.decideList", id: "some-list", isUsed: true },
  "page.removeAccount": { type: "page.removeAccount", id: "first" },
  "page.readSettings": { type: "page.readSettings", text: "{}" },
  "page.importSettings": { type: "page.importSettings", text: "{}" },
}

export const requests: ReadonlyArray<PageRequest> = Object.values(byType)
