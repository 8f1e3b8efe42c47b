// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { Fragment, h, render } from "preact"
import { useEffect } from "preact/hooks"
import { afterEach, describe, expect, it, vi } from "vitest"
import { EntryForm } from "../../../src/ui/forms/EntryForm.tsx"

const form = (
  initial: string,
  more: { readonly isPrompting?: boolean; readonly send?: () => Promise<never> } = {},
) =>
  h(EntryForm<{ readonly _tag: "Usable" }>, {
    done: null,
    entry: { id: "address", label: "Address" },
    initial,
    isOnly: true,
    onDone: () => {},
    read: () => ({ _tag: "Usable" as const }),
    send: () => Promise.reject(new Error("not sent")),
    submit: "Save",
    ...more,
  })
const box = () => document.querySelector("input")!
const type = (text: string): void => {
  box().value = text
  box().dispatchEvent(new Event("input", { bubbles: true }))
}

afterEach(Desk.tidy)

describe("a form of one entry", () => {
  it("keeps what is typed as soon as it is there", async () => {
    await new Promise<void>((resolve) => {
      // Preact runs effects in turn, so those of the form are done when this one runs.
      const Last = () => {
        useEffect(resolve, [])
        return null
      }
      render(h(Fragment, null, form(""), h(Last, null)), document.body)
      type("a")
    })
    await Desk.settle()
    expect(box().value).toBe("a")
  })

  it("shows what was saved meanwhile", async () => {
    render(form("https://one.example"), document.body)
    type("https://o")
    render(form("https://two.example"), document.body)
    await Desk.settle()
    expect(box().value).toBe("https://two.example")
  })

  it.each([
    [true, "Answer the browser's question at the top of the window."],
    [false, ""],
  ])("points at a browser's question that is not answered: %s", async (isPrompting, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      render(
        form("https://one.example", { isPrompting, send: () => new Promise<never>(() => {}) }),
        document.body,
      )
      document.querySelector("form")!.requestSubmit()
      const said = () => document.querySelector(".form-prompt")?.textContent
      await vi.advanceTimersByTimeAsync(4_000)
      expect(said()).toBe("")
      await vi.advanceTimersByTimeAsync(2_000)
      expect(said()).toBe(expected)
    } finally {
      vi.useRealTimers()
    }
  })
})
