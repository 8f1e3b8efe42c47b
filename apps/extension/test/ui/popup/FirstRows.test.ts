// @vitest-environment happy-dom
/** The popup's first rows wait for nothing that they do not show. */
import * as Desk from "../desk/Desk.ts"
import { indexOf } from "../desk/FakeBackground.ts"
import { h, render } from "preact"
import { act } from "preact/test-utils"
import { afterEach, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { BackgroundContext } from "../../../src/ui/state/Live.ts"
import { Popup } from "../../../src/ui/popup/Popup.tsx"
import type { Found } from "../../../src/ui/popup/search/Rows.tsx"
import type { Background } from "../../../src/ui/state/Background.ts"

afterEach(Desk.tidy)

const begun: Found = {
  rows: [Desk.row],
  total: 1,
  groups: null,
  query: { text: "", limit: 10 },
}

/** Draws the popup, and gives the watchers of the state that it has by then, and those that it has later. */
const watchers = async (known: Found | null) => {
  const watching: Array<(state: AppState) => void> = []
  const background: Background = {
    ask: () => new Promise(() => {}),
    index: indexOf(() => new Promise(() => {})),
    watch: (onState) => {
      watching.push(onState)
      return () => {}
    },
    test: () => () => {},
  }
  const popup = h(Popup, { subject: { _tag: "Page" }, begun: known })
  let atOnce = 0
  await act(() => {
    render(h(BackgroundContext.Provider, { value: background, children: popup }), document.body)
    atOnce = watching.length
  })
  return { atOnce, later: watching.length }
}

it("asks for the state once the rows that are known stand", async () => {
  expect(await watchers(begun)).toEqual({ atOnce: 0, later: 1 })
  expect(document.querySelectorAll("[role=option]")).toHaveLength(1)
})

it("asks for the state at once where no rows are known", async () => {
  expect(await watchers(null)).toEqual({ atOnce: 1, later: 1 })
})
