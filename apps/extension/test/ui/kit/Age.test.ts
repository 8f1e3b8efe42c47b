// @vitest-environment happy-dom
import "../desk/DeskBrowser.ts"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { browser } from "wxt/browser"
import * as Age from "../../../src/ui/kit/Age.ts"

const now = Date.parse("2026-03-01T14:00:00Z")

describe("an age", () => {
  it.each([
    ["2026-03-01T13:59:30Z", "just now"],
    ["2026-03-01T14:00:20Z", "just now"],
    ["2026-03-01T13:58:59Z", "1 minute ago"],
    ["2026-03-01T11:01:00Z", "2 hours ago"],
    ["2026-02-27T14:00:00Z", "2 days ago"],
    ["2025-12-01T14:00:00Z", "3 months ago"],
    ["2023-03-01T14:00:00Z", "3 years ago"],
  ])("of %s is %s, never rounded up", (moment, words) => {
    expect(Age.age(moment, now, "long")).toBe(words)
  })

  it("of what is no moment is the text itself", () => {
    expect(Age.age("soon", now)).toBe("soon")
    expect(Age.moment("soon")).toBe("soon")
  })
})

describe("an age in few letters", () => {
  it("has words even in a language that writes a bare sign for them", () => {
    const speaks = vi.spyOn(browser.i18n, "getMessage").mockReturnValue("pt-PT")
    onTestFinished(() => speaks.mockRestore())
    expect(Age.age("2026-02-27T14:00:00Z", now, "narrow")).toBe("há 2 dias")
  })
})

describe("what remains", () => {
  it("is told until the moment has come, and never as nothing", () => {
    expect(Age.remaining("2026-03-01T14:00:40Z", now)).toBe("in 40 seconds")
    expect(Age.remaining("2026-03-01T14:00:00.200Z", now)).toBe("in 1 second")
    expect(Age.remaining("2026-03-01T14:00:00Z", now)).toBeNull()
  })
})
