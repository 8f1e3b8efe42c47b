/** What the extension asks the service for, over everything that it ever asks: each request is looked at as the browser would send it. */
import { beforeEach, describe, expect, it } from "vitest"
import type { TestFinding } from "../../../src/messages/PageMessage.ts"
import * as World from "../World.ts"

let world: World.World
let sent: Array<Request>

const testConnection = async (): Promise<void> => {
  const findings: Array<TestFinding> = []
  let hasEnded = false
  world.background().onConnect({
    name: "page.connectionTest",
    sender: World.page,
    postMessage: (finding) => findings.push(finding as TestFinding),
    disconnect: () => {
      hasEnded = true
    },
    onDisconnect: { addListener: () => {} },
  })
  await world.inTime(() => hasEnded)
  expect(findings.map(({ _tag }) => _tag)).toEqual(["Scope", "CursorParameter", "Clock", "End"])
}

/** Everything that makes the extension ask after the first read, one after the other. */
const everything: ReadonlyArray<readonly [what: string, act: () => Promise<unknown>]> = [
  ["a read at its interval", () => world.background().onAlarm("sync")],
  ["a contract that is opened", () => world.ask({ type: "page.refresh", id: firstId() })],
  ["the connection test", testConnection],
  [
    "a listing's contracts, from its page",
    async () => {
      const { slug } = world.emulator.store.contracts.find(({ listing }) => listing != null)!.listing!
      world.platform.granted.add(World.sitePattern)
      await world.ask({ type: "page.addSite", origin: World.site })
      await world.askAs(World.tab(4), { type: "listing.lookup", references: [slug] })
      await world.askAs(World.tab(4), { type: "listing.refresh", reference: slug })
    },
  ],
  [
    "a look whether a failure has passed",
    async () => {
      world.emulator.faults.set(["not-json"])
      await world.ask({ type: "page.refresh", id: firstId() })
      world.emulator.faults.clear()
      await world.background().onAlarm("recover")
    },
  ],
  ["the browser's start", () => world.background().onStartup()],
]
const firstId = (): number => world.emulator.store.contracts[0]!.id

beforeEach(async () => {
  world = World.make({ contracts: 30 })
  sent = []
  world.platform.reaches = (request) => {
    sent.push(request.clone())
    return world.emulator.fetch(request)
  }
  await world.setUp()
  await world.until(World.isSynced)
})

describe("every request", () => {
  beforeEach(async () => {
    for (const [, act] of everything) {
      const before = sent.length
      await act()
      await world.inTime(() => sent.length > before)
      await world.inTime(({ sync }) => sync._tag === "Idle")
      world.clock.advance(3_600_000)
    }
  })

  it("only reads, and asks for no attached data", () => {
    for (const { body, method, url } of sent) {
      expect([method, body]).toEqual(["GET", null])
      const { pathname, searchParams } = new URL(url)
      expect(pathname).toBe("/v1/contracts/")
      expect([...searchParams.keys()].filter((name) => !["id", "limit", "before_id"].includes(name))).toEqual(
        [],
      )
    }
  })

  it("goes to the service's own address, with the key and nothing that could tell of a page or a site", () => {
    for (const { credentials, headers, redirect, referrer, url } of sent) {
      expect(new URL(url).origin).toBe(World.baseUrl)
      expect([credentials, redirect]).toEqual(["omit", "manual"])
      expect(["", "about:client"]).toContain(referrer)
      expect([...headers.keys()].toSorted()).toEqual(["accept", "authorization"])
      const isFirst =
        sent.findIndex((request) => !World.isTrial(request)) >
        sent.findIndex(({ headers: its }) => its === headers)
      expect(headers.get("authorization")).toBe(
        isFirst ? "Bearer no-key-yet" : `Bearer ${world.emulator.apiKey}`,
      )
      expect(url).not.toContain(new URL(World.site).host)
    }
  })
})

describe("a request", () => {
  it("does not follow where the service redirects to, and says that it cannot be read", async () => {
    const asked: Array<string> = []
    world.platform.reaches = async (request) => {
      asked.push(request.url)
      return new Response(null, {
        status: 302,
        headers: { location: "https://elsewhere.example/v1/contracts/" },
      })
    }
    await world.ask({ type: "page.sync" })
    await world.inTime(({ connection }) => connection._tag === "UnreadableData")
    expect(asked.every((url) => new URL(url).origin === World.baseUrl)).toBe(true)
  })

  it("is not made by looking: state, search, a listing's page, a contract as it is known", async () => {
    sent.length = 0
    await world.index.search({ text: "a", counts: false, limit: 50 })
    await world.index.listingAt(`${World.site}/homes/anything`)
    await world.index.contract(firstId())
    await World.turns(50)
    expect(sent).toEqual([])
  })
})
