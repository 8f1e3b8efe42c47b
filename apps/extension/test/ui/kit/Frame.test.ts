// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h, render } from "preact"
import { act } from "preact/test-utils"
import { afterEach, expect, it, vi } from "vitest"
import { Frame } from "../../../src/ui/kit/Frame.tsx"

afterEach(async () => {
  vi.useRealTimers()
  await Desk.tidy()
})

it("a page whose state does not come says so, and what helps", async () => {
  vi.useFakeTimers()
  const page = h(Frame, { title: "optionsTitle", link: ["/welcome.html", "welcomeAgain"], children: null })
  await act(() => render(page, document.body))
  const status = () => document.querySelector("[role=status]")?.textContent
  expect(status()).toBe("Loading…")
  await act(() => void vi.advanceTimersByTime(9_999))
  expect(status()).toBe("Loading…")
  await act(() => void vi.advanceTimersByTime(1))
  expect(status()).toBe(
    "The extension did not respond. Try again. If this happens again, restart the browser.",
  )
})
