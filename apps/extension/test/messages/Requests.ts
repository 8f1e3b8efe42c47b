/** One request of each kind that the extension's own pages make, as they make it. The compiler holds that none is missing. */
import type { PageRequest } from "../../src/messages/PageMessage.ts"

const byType: { readonly [Type in PageRequest["type"]]: Extract<PageRequest, { readonly type: Type }> } = {
  "page.state": { type: "page.state" },
  "page.search": { type: "page.search", text: "sea", by: "any", limit: 50 },
  "page.listingAt": { type: "page.listingAt", url: "https://homes.example/homes/sea-view" },
  "page.contract": { type: "page.contract", id: 12, refresh: true },
  "page.setAddress": { type: "page.setAddress", baseUrl: "https://api.example.test" },
  "page.setKey": { type: "page.setKey", key: "some-key" },
  "page.forgetKey": { type: "page.forgetKey" },
  "page.setSettings": { type: "page.setSettings", settings: { theme: "dark", refreshMinutes: 60 } },
  "page.addSite": { type: "page.addSite", origin: "https://homes.example" },
  "page.removeSite": { type: "page.removeSite", origin: "https://homes.example" },
  "page.switchSite": { type: "page.switchSite", origin: "https://homes.example", isOn: false },
  "page.setPatterns": {
    type: "page.setPatterns",
    origin: "https://homes.example",
    patterns: ["/homes/:slug"],
  },
  "page.walk": { type: "page.walk" },
  "page.stopWalk": { type: "page.stopWalk" },
  "page.apiKeys": { type: "page.apiKeys" },
  "page.clear": { type: "page.clear" },
}

export const requests: ReadonlyArray<PageRequest> = Object.values(byType)
