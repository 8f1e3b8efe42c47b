import { describe, expect, it } from "vitest"
import * as Sender from "../../src/messages/Sender.ts"
import type { RawSender, Self } from "../../src/messages/Sender.ts"

const chrome: Self = { id: "abcdef", origin: "chrome-extension://abcdef" }
const firefox: Self = { id: "extension@deedkit", origin: "moz-extension://0b0e" }
const site: RawSender = {
  id: chrome.id,
  url: "https://homes.example:8443/list?page=2#top",
  origin: "https://homes.example:8443",
  frameId: 0,
  tab: { id: 7 },
}
const page: RawSender = { id: chrome.id, url: `${chrome.origin}/popup.html`, origin: chrome.origin }

describe("Sender", () => {
  it("knows the content script of a tab's own document by its origin, port included, and its tab", () => {
    expect(Sender.of(site, chrome)).toEqual({
      _tag: "Site",
      origin: "https://homes.example:8443",
      tabId: 7,
    })
  })

  it("knows the extension's own pages, in the popup and in a tab, in both browsers", () => {
    expect(Sender.of(page, chrome)).toEqual({ _tag: "Page" })
    expect(Sender.of({ ...page, frameId: 0, tab: { id: 3 } }, chrome)).toEqual({ _tag: "Page" })
    const url = `${firefox.origin}/options.html#sites`
    expect(Sender.of({ id: firefox.id, url, tab: { id: 3 } }, firefox)).toEqual({ _tag: "Page" })
  })

  const nobodies: ReadonlyArray<readonly [string, RawSender]> = [
    ["another extension's page", { ...page, id: "other", url: "chrome-extension://other/popup.html" }],
    ["another extension that names our page", { ...page, id: "other" }],
    ["an extension whose id begins with ours", { ...page, url: "chrome-extension://abcdefg/popup.html" }],
    ["a sender without an id", { ...site, id: undefined }],
    ["a sender without an address", { ...site, url: undefined }],
    ["our page with a site's origin", { ...page, origin: "https://homes.example" }],
    ["a site that claims our origin", { ...site, origin: chrome.origin }],
    ["a site that claims another site's origin", { ...site, origin: "https://other.example" }],
    ["a frame in a granted site", { ...site, frameId: 4 }],
    ["a sender that tells no frame", { ...site, frameId: undefined }],
    ["a site without a tab", { ...site, tab: undefined }],
    ["a tab without an id", { ...site, tab: {} }],
    ["a sandboxed document", { ...site, origin: "null" }],
    ["a document without an origin of its own", { ...site, url: "about:srcdoc", origin: undefined }],
    ["a data address", { ...site, url: "data:text/html,x", origin: undefined }],
    ["an address that is none", { ...site, url: "homes", origin: undefined }],
  ]
  it.each(nobodies)("takes %s for nobody", (_who, sender) => {
    expect(Sender.of(sender, chrome)).toBeNull()
  })
})
