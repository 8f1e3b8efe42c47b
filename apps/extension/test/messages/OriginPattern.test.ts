import { describe, expect, it } from "vitest"
import { originOf, patternOf } from "../../src/messages/OriginPattern.ts"

describe("the origin of a site", () => {
  it.each([
    ["homes.example", "https://homes.example"],
    ["  https://Homes.Example/list?page=2#top ", "https://homes.example"],
    ["https://homes.example:8443/", "https://homes.example:8443"],
    ["https://homes.example:443", "https://homes.example"],
    ["münchen.example", "https://xn--mnchen-3ya.example"],
    ["https://[::1]:8443/list", "https://[::1]:8443"],
    ["my_homes.example.", "https://my_homes.example."],
  ])("is read from %j", (typed, origin) => {
    expect(originOf(typed)).toBe(origin)
  })

  it.each([
    "",
    "   ",
    "two words",
    "http://homes.example",
    "http://127.0.0.1:8080",
    "https://user@homes.example",
    "https://:secret@homes.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/hosts",
    "chrome-extension://abcdef/popup.html",
    "about:blank",
    "https://",
    "https://*",
    "*.com",
    "https://*.example.com",
    "https://homes.*",
    "https://.example.com",
    "https://homes..example",
    "https://homes.example,flats.example",
  ])("is not read from %j", (typed) => {
    expect(originOf(typed)).toBeNull()
  })

  it("may be this machine's with http where the build allows it, and no other's", () => {
    expect(originOf("http://127.0.0.1:8080/x", true)).toBe("http://127.0.0.1:8080")
    expect(originOf("http://localhost:8080", true)).toBe("http://localhost:8080")
    for (const other of ["http://127.0.0.1.example", "http://homes.example", "http://localhost.example"]) {
      expect(originOf(other, true)).toBeNull()
    }
  })

  it("is granted without its port, which not every browser takes", () => {
    expect(patternOf("https://homes.example:8443")).toBe("https://homes.example/*")
  })
})
