/**
 * What is measured inside the browser: in a page of the extension, over the index that the background has filled, and in a page of the site,
 * where the content script would be. One script for both; it calls the extension's own modules and holds a clock to them.
 */
import { browser } from "wxt/browser"
import * as ContractIndex from "../../src/index/ContractIndex.ts"
import * as Database from "../../src/index/Database.ts"
import type { SyncRecord } from "../../src/index/IndexMeta.ts"
import type { Row } from "../../src/index/Row.ts"
import * as Host from "../../src/page/Host.ts"
import * as Marks from "../../src/page/marks/Marks.ts"
import { reader } from "../../src/address/Reference.ts"
import { linksIn } from "../../src/page/Links.ts"
import type { Asked } from "../../src/index/PageIndex.ts"
import * as PageIndex from "../../src/index/PageIndex.ts"

/** Milliseconds of each time. */
export type Millis = ReadonlyArray<number>

export interface Fill {
  readonly rows: number
  readonly millis: number
  /** Each transaction that wrote, from its beginning to its end. */
  readonly transactions: Millis
}

export interface Drawing {
  /** The cards of all links found. */
  readonly cards: Millis
  /** The frame that draws the marks in view, layout included. */
  readonly drawn: Millis
  /** A frame of a page that scrolls. */
  readonly scrolled: Millis
}

const pageSize = 200
/** The contracts of every listing that is drawn. */
const fact = {
  count: 2,
  status: "active",
  leading: 1,
  groups: [
    { count: 1, status: "active", kind: "offplan" },
    { count: 1, status: "draft", kind: "sale" },
  ],
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

/** How long each of the next frames takes that this script asks for. */
const timeFrames = async (frames: number): Promise<Millis> => {
  const taken: Array<number> = []
  const ask = globalThis.requestAnimationFrame
  globalThis.requestAnimationFrame = (act) =>
    ask((now) => {
      const before = performance.now()
      act(now)
      void document.body.offsetHeight
      taken.push(performance.now() - before)
    })
  for (let frame = 0; frame <= frames; frame++) {
    scrollBy(0, frame === 0 ? 0 : 7)
    await new Promise((resolve) => ask(resolve))
  }
  globalThis.requestAnimationFrame = ask
  return taken
}

const times = async (count: number, act: () => unknown): Promise<Millis> => {
  const taken: Array<number> = []
  for (let done = 0; done < count; done++) {
    const before = performance.now()
    await act()
    taken.push(performance.now() - before)
  }
  return taken
}

/** Notes how long each transaction that writes takes, until the returned function ends it. */
const watchTransactions = (taken: Array<number>): (() => void) => {
  const { prototype } = IDBDatabase
  const begin = Object.getOwnPropertyDescriptor(prototype, "transaction")!
  const transaction = function (this: IDBDatabase, ...given: Parameters<IDBDatabase["transaction"]>) {
    const begun: IDBTransaction = begin.value.apply(this, given)
    const before = performance.now()
    if (begun.mode === "readwrite") {
      begun.addEventListener("complete", () => taken.push(performance.now() - before))
    }
    return begun
  }
  Object.defineProperty(prototype, "transaction", { ...begin, value: transaction })
  return () => void Object.defineProperty(prototype, "transaction", begin)
}

const sync: SyncRecord = {
  startedAt: new Date(0).toISOString(),
  after: 0,
  pages: 0,
  records: 0,
  rejected: 0,
  checkpoint: null,
  expected: null,
  failures: 0,
  notBefore: 0,
  pause: null,
}

/** Links as a page of a site has them; every other one leads to a listing. */
const links = (slugs: ReadonlyArray<string>): HTMLElement => {
  const section = document.createElement("section")
  slugs.forEach((slug, at) => {
    for (const href of [`/homes/${slug}`, `/about/page-${at}`]) {
      const link = document.createElement("a")
      link.href = href
      link.textContent = `A home with a title of a usual length ${at}`
      const card = document.createElement("p")
      // Forty of them fill a window.
      card.style.margin = "0"
      card.style.height = `${innerHeight / 40}px`
      card.append(link)
      section.append(card)
    }
  })
  return section
}

/** The links of a part of the page, and what draws their marks. */
const markers = (section: HTMLElement) => {
  const end = new AbortController()
  const host = Host.make(() => {})
  Host.addStyles(host.root, Marks.styles)
  host.attach()
  return {
    end,
    host,
    found: linksIn([section], reader([], location.href)),
    marks: Marks.make(host, end.signal),
  }
}

/** What `hold` has put into the page. */
let held: ReturnType<typeof markers> | null = null

/** Lets the browser do what waits. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener("message", () => resolve())
    port1.start()
    port2.postMessage(null)
  })

/** Waits for an element of a page without taking its time meanwhile. A timer that is set in a frame ends after that was painted. */
const painted = (view: typeof globalThis, selector: string): Promise<void> =>
  new Promise((done) => {
    const look = (): void => {
      if (view.document.querySelector(selector) === null) return
      observer.disconnect()
      view.requestAnimationFrame(() => view.setTimeout(done))
    }
    const observer = new view.MutationObserver(look)
    observer.observe(view.document, { childList: true, subtree: true })
    look()
  })

/** Looks at a page that is opening until it has the element, and lays it out. */
const firstShown = async (path: string, selector: string, isPainted: boolean): Promise<number> => {
  for (;;) {
    await turn()
    const views = browser.extension.getViews() as ReadonlyArray<unknown> as ReadonlyArray<typeof globalThis>
    const view = views.find(({ location }) => location.pathname === path)
    if (view === undefined) continue
    if (isPainted) await painted(view, selector)
    else if (view.document.querySelector(selector) === null) continue
    void view.document.body.offsetHeight
    return performance.timeOrigin + performance.now() - view.performance.timeOrigin
  }
}

/** What a page of the extension reads; it is opened by the first read. */
const pageIndex = PageIndex.make()

const speed = {
  /** Looks references up in the index that is there, the table in memory. */
  lookups: async (references: ReadonlyArray<string>, count: number): Promise<Millis> => {
    const index = ContractIndex.make(Database.make())
    await index.lookup(references)
    return times(count, () => index.lookup(references))
  },

  /** Writes the contracts of the index that is there to an empty one, page by page, as a sync does. */
  fill: async (): Promise<Fill> => {
    const database = Database.make()
    const index = ContractIndex.make(Database.make(indexedDB, "speed"))
    const seenAt = new Date(0).toISOString()
    const transactions: Array<number> = []
    const end = watchTransactions(transactions)
    let written = 0
    let millis = 0
    const time = async (act: () => Promise<unknown>): Promise<void> => {
      const before = performance.now()
      await act()
      millis += performance.now() - before
    }
    for (let after = 0; ;) {
      const store = (await database.reading("contracts")).objectStore("contracts")
      const range = IDBKeyRange.lowerBound(after, true)
      const rows: ReadonlyArray<Row> = await Database.answered(store.getAll(range, pageSize))
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
      written += rows.length
      const contracts = rows.map(({ contract }) => contract)
      await time(() => index.putPage({ contracts, invalidIds: [], seenAt, sync }))
    }
    await time(() => index.finish(sync, seenAt))
    end()
    return { rows: written, millis, transactions }
  },

  /** Searches as the popup does. The first time, the index is read. */
  search: (asked: Asked, count: number): Promise<Millis> => times(count, () => pageIndex.search(asked)),

  /** From the beginning of a page of the extension to the first element of a kind that is laid out in it, or painted; each time in a tab of its own. */
  show: async (path: string, selector: string, count: number, isPainted = false): Promise<Millis> => {
    const taken: Array<number> = []
    for (let done = 0; done < count; done++) {
      const tab = await browser.tabs.create({ url: path })
      taken.push(await firstShown(path, selector, isPainted))
      await browser.tabs.remove(tab.id!)
    }
    return taken
  },

  /** Asks the background as a content script does; runs in a page of the site. */
  ask: (references: ReadonlyArray<string>, count: number): Promise<Millis> =>
    times(count, async () => {
      const answer: unknown = await browser.runtime.sendMessage({ type: "listing.lookup", references })
      if (answer === null) throw new Error("the background refused a lookup")
    }),

  /** Looks at the links of a page and has all of them looked up, as a content script does; runs in a page of the site. */
  readAndAsk: async (slugs: ReadonlyArray<string>, count: number): Promise<Millis> => {
    const section = links(slugs)
    const read = reader([], location.href)
    return times(count, async () => {
      const references = linksIn([section], read).flatMap((found) => found.references)
      const answer: unknown = await browser.runtime.sendMessage({ type: "listing.lookup", references })
      if (answer === null) throw new Error("the background refused a lookup")
    })
  },

  scan: (slugs: ReadonlyArray<string>, count: number): Promise<Millis> => {
    const section = links(slugs)
    const read = reader([], location.href)
    return times(count, () => linksIn([section], read))
  },

  /** Marks the links of a page, of which every other one leads to a listing with contracts. */
  draw: async (slugs: ReadonlyArray<string>, count: number): Promise<Drawing> => {
    const cards: Array<number> = []
    const drawn: Array<number> = []
    const scrolled: Array<number> = []
    for (let done = 0; done < count; done++) {
      const section = links(slugs)
      document.body.replaceChildren(section)
      // Marks come after an answer of the background, when the page itself was painted: what that takes is not theirs.
      await nextFrame()
      await nextFrame()
      const { end, found, host, marks } = markers(section)
      const known = new Set(found.filter((_, at) => at % 2 === 0))
      const frames = timeFrames(12)
      const before = performance.now()
      marks.take(found, (one) => (known.has(one) ? { reference: one.references[0]!, fact } : null))
      cards.push(performance.now() - before)
      const [first = NaN, ...others] = await frames
      drawn.push(first)
      scrolled.push(...others)
      end.abort()
      host.remove()
    }
    return { cards, drawn, scrolled }
  },

  /** Fills the page with links, and marks them all or none; both stay until the next time. */
  hold: async (count: number, isMarked: boolean): Promise<void> => {
    held?.end.abort()
    held?.host.remove()
    const section = links(Array.from({ length: count / 2 }, (_, at) => `held-home-${at}`))
    document.body.replaceChildren(section)
    held = markers(section)
    if (isMarked) held.marks.take(held.found, ({ references }) => ({ reference: references[0]!, fact }))
    for (let frames = 0; frames < 12; frames++) await nextFrame()
  },

  /** Scrolls the page a step each frame, and lets it come to rest. */
  scroll: async (steps: number): Promise<void> => {
    scrollTo(0, 0)
    for (let step = 0; step < steps + 12; step++) {
      if (step < steps) scrollBy(0, 100)
      await nextFrame()
    }
  },

  /** A search as soon as somebody can type it: the popup has shown its rows, and the page has had a pause. */
  searchTyped: async (asked: Asked): Promise<Millis> => {
    await pageIndex.search({ ...asked, text: "", counts: true })
    await new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 500)))
    return times(1, () => pageIndex.search(asked))
  },

  /** Does one of these in the tab that shows an address beginning like this; runs in a page of the extension. */
  inTab: async (beginning: string, name: string, given: ReadonlyArray<unknown>): Promise<unknown> => {
    const tabs = await browser.tabs.query({})
    const tabId = tabs.find(({ url }) => url?.startsWith(beginning))?.id
    if (tabId === undefined) throw new Error(`no tab shows ${beginning}`)
    const target = { tabId }
    await browser.scripting.executeScript({ target, files: ["/speed.js"] })
    const [frame] = await browser.scripting.executeScript({
      target,
      args: [name, given],
      func: (called: string, values: ReadonlyArray<unknown>) =>
        (
          globalThis as unknown as {
            speed: { [name: string]: (...values: ReadonlyArray<unknown>) => unknown }
          }
        ).speed[called]!(...values),
    })
    return frame?.result
  },
}

export type Speed = typeof speed

Object.assign(globalThis, { speed })
