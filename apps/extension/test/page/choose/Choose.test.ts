// @vitest-environment happy-dom
import "../Browser.ts"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { RawSender } from "../../../src/messages/Sender.ts"
import * as Choice from "../../../src/page/choose/Choice.ts"
import * as Choose from "../../../src/page/choose/Choose.ts"

type Hear = (given?: unknown) => void

/** The scripts that wait for a connection. */
const waiting = new Set<Hear>()
const { runtime } = (globalThis as unknown as { readonly browser: { readonly runtime: object } }).browser
Object.assign(runtime, {
  onConnect: {
    addListener: (hear: Hear) => void waiting.add(hear),
    removeListener: (hear: Hear) => void waiting.delete(hear),
  },
})

// happy-dom has no frames without a page: another element stands in for the one that takes events, of which there are none here.
const create = document.createElement.bind(document)
vi.spyOn(document, "createElement").mockImplementation((name: string) =>
  create(name === "iframe" ? "section" : name),
)

const own = "chrome-extension://deedkit-test"
const ownPage: RawSender = { id: "deedkit-test", url: `${own}/teach.html`, origin: own }

const connect = (sender: RawSender, name: string) => {
  const said: Array<unknown> = []
  let end: Hear = () => {}
  const port = {
    name,
    sender,
    said,
    isOpen: true,
    postMessage: (message: unknown) => void said.push(message),
    disconnect: () => void (port.isOpen = false),
    onDisconnect: { addListener: (hear: Hear) => void (end = hear) },
    end: () => end(),
  }
  for (const hear of waiting) hear(port)
  return port
}

const isOver = (): boolean => document.documentElement.lastElementChild !== document.body

beforeEach(() => Choose.begin())
afterEach(() => connect(ownPage, Choice.port).end())

it("waits for a page of the extension, and lies over the page until that is closed", () => {
  expect(isOver()).toBe(false)
  const port = connect(ownPage, Choice.port)
  expect(isOver()).toBe(true)
  expect(waiting.size).toBe(0)
  port.end()
  expect(isOver()).toBe(false)
  expect(port.said).toEqual([])
})

const others: ReadonlyArray<readonly [who: string, sender: RawSender, name: string]> = [
  ["another extension", { ...ownPage, id: "another" }, Choice.port],
  [
    "a content script",
    { id: "deedkit-test", url: "https://homes.example/", frameId: 0, tab: { id: 3 } },
    Choice.port,
  ],
  ["a frame of another origin", { ...ownPage, origin: "https://homes.example" }, Choice.port],
  ["nobody", {}, Choice.port],
  ["a page that asks for something else", ownPage, "page.state"],
]

it.each(others)("does not begin for %s", (_who, sender, name) => {
  connect(sender, name)
  expect(isOver()).toBe(false)
  expect(waiting.size).toBe(1)
})

it("ends when it is brought in once more, and when the page is left, without a choice", () => {
  const first = connect(ownPage, Choice.port)
  Choose.begin()
  expect([first.isOpen, isOver()]).toEqual([false, false])
  const second = connect(ownPage, Choice.port)
  window.dispatchEvent(new Event("pagehide"))
  expect([second.isOpen, isOver()]).toEqual([false, false])
  expect([...first.said, ...second.said]).toEqual([])
})
