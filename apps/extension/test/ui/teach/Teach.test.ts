// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import * as Choosing from "../../../src/ui/teach/Choosing.ts"
import { Teach } from "../../../src/ui/teach/Teach.tsx"

const origin = "https://homes.example"
const site = { origin, isGranted: true, isOn: true, patterns: [] as ReadonlyArray<string> }
const withSite: AppState = { ...Desk.full, sites: [site] }

type Hear = (message?: unknown) => void

/** The browser around the page: the script that was brought into a tab, its port, and what was done with tabs. */
const around = {
  isLet: true,
  brought: [] as Array<unknown>,
  done: [] as Array<string>,
  say: (() => {}) as Hear,
  end: (() => {}) as Hear,
  isInFront: false,
}

beforeEach(() => {
  Object.assign(around, { isLet: true, brought: [], done: [], isInFront: false })
  const { browser } = globalThis as unknown as { readonly browser: object }
  Object.assign(browser, {
    scripting: {
      executeScript: (asked: unknown) => {
        around.brought.push(asked)
        return around.isLet ? Promise.resolve([]) : Promise.reject(new Error("not allowed"))
      },
    },
    tabs: {
      connect: (tabId: number, { frameId, name }: { readonly frameId: number; readonly name: string }) => {
        around.done.push(`connect ${tabId} ${frameId} ${name}`)
        return {
          disconnect: () => around.done.push("disconnect"),
          onMessage: { addListener: (hear: Hear) => (around.say = hear) },
          onDisconnect: { addListener: (hear: Hear) => (around.end = hear) },
        }
      },
      getCurrent: () => Promise.resolve({ id: 9, active: around.isInFront }),
      update: (tabId: number) => Promise.resolve(void around.done.push(`show ${tabId}`)),
      remove: (tabId: number) => Promise.resolve(void around.done.push(`close ${tabId}`)),
    },
  })
})
afterEach(Desk.tidy)

/** Knows the listing 4711. */
const known: Desk.Answer = (request, state) =>
  request.type === "page.setPatterns"
    ? { ...state, sites: [{ ...site, patterns: request.patterns }] }
    : request.type !== "index.listing"
      ? state
      : request.reference === "4711"
        ? { title: "The blue door", rows: [Desk.row], total: 1 }
        : null

const open = (state = withSite, answer = known) => Desk.mount(state, h(Teach, { tabId: 3, origin }), answer)

const choose = async (chosen: unknown): Promise<void> => {
  around.say(chosen)
  for (let turns = 0; turns < 6; turns++) await Desk.settle()
}

const choice = { chosen: "/flat-4711", links: ["/flat-4711", "/flat-4712", "/about"] }

describe("a listing's link that is shown", () => {
  it("is chosen in the tab that was in front, by a script for that alone", async () => {
    await open()
    expect(around.brought).toEqual([{ target: { tabId: 3 }, files: ["/choose.js"] }])
    expect(around.done).toEqual(["connect 3 0 choose"])
    expect(Desk.words()).toContain("Choose the link of one of your listings on homes.example")
    await Desk.press("Go to the page")
    expect(around.done.at(-1)).toBe("show 3")
  })

  it("comes with what each pattern would find, and nothing is added before a click", async () => {
    const desk = await open()
    await choose(choice)
    expect(around.done).toContain("show 9")
    expect(Desk.words()).toContain("You chose /flat-4711")
    expect(Desk.words()).toContain("Deedkit does not recognize this link yet.")
    expect(Desk.words()).toContain("Links on the page: 3. With contracts at present: 0.")
    expect(Desk.words()).toContain("/flat-:id The blue door · 1 contract")
    expect(Desk.words()).toContain("Links found on the page: 2. With contracts: 1.")
    expect(Desk.words()).toContain("/flat-4712 no contract")
    expect(desk.requests.filter(({ type }) => type === "page.setPatterns")).toEqual([])
    await Desk.press("Add pattern")
    expect(desk.requests.at(-1)).toEqual({ type: "page.setPatterns", origin, patterns: ["/flat-:id"] })
    expect(Desk.words()).toContain("Pattern added. Deedkit now uses it on homes.example: /flat-:id")
    expect(Desk.has("Add pattern")).toBe(false)
    await Desk.press("Go to the page")
    expect(around.done.at(-1)).toBe("show 3")
  })

  it("keeps the patterns that there are, and adds none twice", async () => {
    const desk = await open({ ...withSite, sites: [{ ...site, patterns: ["/flat-:id", "!/blog/**"] }] })
    await choose(choice)
    expect(Desk.words()).toContain("Deedkit already recognizes this link: The blue door · 1 contract")
    expect(Desk.words()).toContain("This pattern already exists.")
    await Desk.press("Add pattern")
    expect(desk.requests.filter(({ type }) => type === "page.setPatterns")).toEqual([])
  })

  it("in which nothing is known gives no pattern, and another one can be chosen", async () => {
    await open()
    await choose({ chosen: "/about", links: ["/about"] })
    expect(Desk.words()).toContain("This address contains no slug")
    expect(Desk.has("Add pattern")).toBe(false)
    await Desk.press("Choose another link")
    expect(around.done.slice(-2)).toEqual(["show 3", "connect 3 0 choose"])
  })

  it("is no more than a text, whatever the page calls it", async () => {
    await open()
    await choose({ chosen: "/<img src=x onerror=alert(1)>-4711", links: ["/<b>4711"] })
    expect(Desk.words()).toContain("You chose /<img src=x onerror=alert(1)>-4711")
    expect(document.querySelector("img, b")).toBeNull()
  })
})

describe("no link that is shown", () => {
  it("closes the tab that nobody looks at", async () => {
    await open()
    around.end()
    await Desk.settle()
    expect(around.done.at(-1)).toBe("close 9")
  })

  it("is said where the tab is looked at, and the choice can begin again", async () => {
    await open()
    around.isInFront = true
    around.end()
    await Desk.settle()
    expect(around.done).not.toContain("close 9")
    expect(Desk.words()).toContain("No link was chosen.")
    await Desk.press("Choose a link")
    expect(around.brought).toHaveLength(2)
  })

  it("is what a message of another shape is", async () => {
    await open()
    around.isInFront = true
    await choose({ chosen: 7, links: [] })
    expect(Desk.words()).toContain("No link was chosen.")
  })

  it.each([
    ["the browser does not let the script in", withSite, false],
    ["the site was not added", { ...withSite, sites: [] }, true],
    ["the site was taken back", { ...withSite, sites: [{ ...site, isGranted: false }] }, true],
  ])("is possible where %s", async (_why, state, isLet) => {
    around.isLet = isLet
    await open(state)
    expect(Desk.alerts().join()).toContain("Deedkit cannot read this page.")
    await choose(choice)
    expect(Desk.has("Add pattern")).toBe(false)
  })
})

it("reads tab and site from its own address", () => {
  expect(Choosing.subjectOf("?tab=3&site=https%3A%2F%2Fhomes.example")).toEqual({ tabId: 3, origin })
  expect(Choosing.subjectOf("")).toEqual({ tabId: -1, origin: "" })
})
