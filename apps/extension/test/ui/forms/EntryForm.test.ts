// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { Fragment, h, render } from "preact"
import { useEffect } from "preact/hooks"
import { afterEach, describe, expect, it } from "vitest"
import { EntryForm } from "../../../src/ui/forms/EntryForm.tsx"

const form = (initial: string) =>
  h(EntryForm<{ readonly _tag: "Usable" }>, {
    done: null,
    entry: { id: "address", label: "Address" },
    initial,
    isOnly: true,
    onDone: () => {},
    read: () => ({ _tag: "Usable" as const }),
    send: () => Promise.reject(new Error("not sent")),
    submit: "Save",
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
})
