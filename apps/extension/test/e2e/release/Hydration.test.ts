/**
 * Pages that a server has rendered with a framework, and that the framework makes live in the browser while marks come, before it and after it.
 * What a framework finds changed in its page it says, and draws anew; here it finds nothing.
 */
import { afterAll, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import { until } from "../browsers/Driver.ts"
import type { Tab } from "../browsers/Driver.ts"
import * as Marks from "../Marks.ts"
import * as Program from "./frameworks/Program.ts"
import { judge, settle } from "../kinds/Judge.ts"
import * as Site from "../kinds/Site.ts"

/**
 * When roots become live, in milliseconds; `host` is the moment in which the extension's element comes, `marks` is after the marks, and `late`
 * is that too, but not before 3 s.
 */
const moments = [0, 50, 300, 1000, "host", "late"] as const
/** What is live last does not fit what was sent. */
type Moment = (typeof moments)[number] | "marks" | "changed"

/** The number of the first listing in a root; the second of three has no contract. */
const firstIn = (root: number): number => 10 * root + 4
const markedInRoot = 2

/** Keeps what is said on the console and what becomes of the document's own children, from the page's first script on. */
const keep = () => {
  const said: Array<string> = []
  const changes: Array<string> = []
  const shifts: Array<number> = []
  for (const level of ["warn", "error"] as const) {
    const own = console[level]
    console[level] = (...words: ReadonlyArray<unknown>) => {
      said.push(words.map(String).join(" "))
      own.apply(console, [...words])
    }
  }
  addEventListener("error", ({ message }) => said.push(message))
  addEventListener("unhandledrejection", ({ reason }) => said.push(String(reason)))
  new MutationObserver((records) => {
    for (const { addedNodes, removedNodes, target } of records) {
      if (target !== document && target !== document.documentElement) continue
      for (const node of addedNodes) if (node.nodeName !== "BODY") changes.push(`+${node.nodeName}`)
      for (const node of removedNodes) changes.push(`-${node.nodeName}`)
    }
  }).observe(document, { childList: true, subtree: true })
  try {
    const observer = new PerformanceObserver((list) =>
      shifts.push(
        ...list.getEntries().map((entry) => (entry as unknown as { readonly value: number }).value),
      ),
    )
    observer.observe({ type: "layout-shift", buffered: true })
  } catch {}
  Object.assign(window, { kept: { said, changes, shifts } })
}

type Hydrate = (root: Element, first: number, tell: (what: string) => void) => Promise<void>

interface Kept {
  readonly said: Array<string>
  readonly changes: ReadonlyArray<string>
  readonly shifts: ReadonlyArray<number>
  /** Whether the extension's element was there when each root became live; null where it is not live yet. */
  readonly hadHost: ReadonlyArray<boolean | null>
  /** Makes the roots live that wait for the marks. */
  readonly resume: () => Promise<void>
  readonly change: () => Promise<unknown>
  /** How many nodes the server sent, how many there are now, and how many of these are the same. */
  readonly nodes: () => readonly [sent: number, now: number, same: number]
}

/** Has each root of the page hydrated at its moment. */
const start = (hydrate: Hydrate, firsts: ReadonlyArray<number>, when: ReadonlyArray<Moment>): void => {
  const { kept } = window as unknown as { readonly kept: Kept }
  const roots = [...document.querySelectorAll("main")]
  const nodesNow = (): ReadonlyArray<Node> => {
    const all = document.createTreeWalker(
      document.documentElement,
      NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    )
    const nodes: Array<Node> = []
    for (let at: Node | null = all.currentNode; at !== null; at = all.nextNode())
      if (at.nodeType === Node.ELEMENT_NODE || at.nodeValue?.trim() !== "") nodes.push(at)
    return nodes.filter((node) => node.parentNode !== document.documentElement || node.nodeName !== "DIV")
  }
  const sent = nodesNow()
  const hadHost: Array<boolean | null> = roots.map(() => null)
  const isHostThere = () => document.documentElement.lastElementChild !== document.body
  const go = (at: number): Promise<void> => {
    hadHost[at] = isHostThere()
    return hydrate(roots[at]!, firsts[at]!, (what) => kept.said.push(what))
  }
  const goAt = (moment: Moment) => Promise.all(when.flatMap((one, at) => (one === moment ? [go(at)] : [])))
  const after = (millis: number) => Math.max(0, millis - performance.now())
  for (const moment of new Set(when)) {
    if (moment === 0) void goAt(moment)
    else if (typeof moment === "number") setTimeout(() => void goAt(moment), after(moment))
  }
  const observer = new MutationObserver(() => {
    if (!isHostThere()) return
    observer.disconnect()
    void goAt("host")
  })
  observer.observe(document.documentElement, { childList: true })
  const resume = async () => {
    await goAt("marks")
    if (!when.includes("late")) return
    await new Promise((resolve) => setTimeout(resolve, after(3_000)))
    await goAt("late")
  }
  const nodes = () => {
    const now = nodesNow()
    return [sent.length, now.length, now.filter((node) => sent.includes(node)).length]
  }
  Object.assign(kept, { hadHost, resume, change: () => goAt("changed"), nodes })
}

const style = `body{margin:0;font:16px/1.4 sans-serif}.page{display:grid;grid-template-columns:1fr 1fr}main{padding:8px}button{width:110px}.grid{display:flex;gap:8px;margin-top:8px}.card{box-sizing:border-box;border:1px solid #999;width:190px;height:120px;padding:8px;overflow:hidden}h3,p{margin:0 0 4px;font-size:15px}`

/**
 * A page whose program makes its roots live at such moments. It is painted once all of it has arrived: a text that comes in two pieces would move
 * by itself.
 */
const wrapped = (html: string, name: string, when: ReadonlyArray<Moment>): string => {
  const head = `<meta charset="utf-8"><link rel="icon" href="data:,"><link rel="expect" href="#program" blocking="render"><style>${style}</style><script>(${keep.toString()})()</script>`
  const firsts = JSON.stringify(when.map((_, at) => firstIn(at)))
  const script = `<script type="module" id="program">import { hydrate } from "/${encodeURIComponent(name)}.js"\n(${start.toString()})(hydrate, ${firsts}, ${JSON.stringify(when)})</script>`
  return html.replace("</head>", () => `${head}</head>`).replace("</body>", () => `${script}</body>`)
}

/** What a page tells of itself, once it is calm. */
const account = () => {
  const { kept } = window as unknown as { readonly kept: Kept }
  const { changes, hadHost, nodes, said, shifts } = kept
  const host = document.documentElement.lastElementChild!
  return {
    said,
    changes,
    nodes: nodes(),
    hadHost,
    host: host.outerHTML,
    shift: shifts.reduce((sum, one) => sum + one, 0),
  }
}

const texts = (name: string) =>
  [...document.querySelectorAll<HTMLElement>(`main:not([hidden]) button[name=${name}]`)].map(
    ({ innerText }) => innerText,
  )
const clickAll = (name: string) =>
  document
    .querySelectorAll<HTMLElement>(`main:not([hidden]) button[name=${name}]`)
    .forEach((button) => button.click())

/** How much a tab has said as errors, once everything until now was heard: what a page says comes to the test in its order, and later. */
const heard = async (tab: Tab): Promise<number> => {
  await tab.evaluate(settle)
  const mark = `heard ${tab.errors.length}`
  await tab.run(`console.error(${JSON.stringify(mark)})`)
  await until(
    mark,
    () => Promise.resolve(tab.errors),
    (errors) => errors.some((error) => error.includes(mark)),
  )
  return tab.errors.length
}

scenario("a page that is rendered by", () => {
  let site: Site.Site
  const programs = new Map<string, Program.Program>()
  it.beforeAll(async ({ enter }) => {
    const loaded = Program.names.map(async (name) => programs.set(name, await Program.load(name)))
    site = await Site.open(enter, async (path) => {
      const name = path.replace(/\.js$/, "")
      const program = programs.get(name)
      if (program === undefined) return ""
      const { isDocument, render, script } = program
      if (name !== path) return script
      const when: ReadonlyArray<Moment> = isDocument ? ["marks"] : [...moments, "changed"]
      const roots = await Promise.all(when.map((_, at) => render(firstIn(at))))
      const mains = roots.map((root, at) =>
        when[at] === "changed"
          ? `<main hidden>${root.replace(/<h3.*?<\/h3>/s, "")}</main>`
          : `<main>${root}</main>`,
      )
      const html = `<!DOCTYPE html><html><head><title>Homes</title></head><body><div class="page">${mains.join("")}</div></body></html>`
      return wrapped(isDocument ? roots[0]! : html, name, when)
    })
    await Promise.all(loaded)
  }, 120_000)
  afterAll(() => site?.close())

  it.for(Program.names)("%s: is hydrated as it was sent, whenever marks come", async (name) => {
    const { origin, tab, world } = site
    const saidBefore = await heard(tab)
    const url = `${origin}/${encodeURIComponent(name)}`
    const roots = programs.get(name)?.isDocument === true ? 1 : moments.length
    const judged = () => Marks.inTab(world.page, url, judge, Site.blank)
    const marked = (when: string) =>
      until(
        `the marks ${when}`,
        judged,
        ({ faults, right }) => faults.length === 0 && right === roots * markedInRoot,
      )
    await tab.goTo(url)
    await marked("before the last root is live")
    await tab.run("kept.resume()")
    await until(
      "live roots",
      () => tab.evaluate(account),
      ({ hadHost }) => !hadHost.slice(0, roots).includes(null),
    )
    await tab.evaluate(settle)
    await marked("when all roots are live")
    const found = await tab.evaluate(account)
    const sent = found.nodes[0]
    expect(found).toEqual({
      said: [],
      changes: ["+#comment", "+DIV"],
      nodes: [sent, sent, sent],
      hadHost: expect.any(Array),
      host: "<div></div>",
      shift: 0,
    })
    if (roots > 1) expect(found.hadHost[0]).toBe(false)
    expect(found.hadHost[roots - 1]).toBe(true)

    await tab.evaluate(clickAll, "save")
    await until(
      "state",
      () => tab.evaluate(texts, "save"),
      (counts) => counts.join() === Array.from({ length: roots }, () => "Saved 1").join(),
    )
    await tab.evaluate(clickAll, "more")
    const first = `document.querySelector("[data-card]").dataset.card`
    await until(
      "other cards",
      () => tab.run(first),
      (slug) => slug === Site.slugOf(firstIn(0) + 60),
    )
    await marked("of other cards")
    expect((await tab.evaluate(account)).said).toEqual([])
    const saidNow = await heard(tab)
    expect(tab.errors.slice(saidBefore, saidNow - 1)).toEqual([])
    if (roots === 1) return
    await tab.run("kept.change()")
    await until(
      "what the framework says of a root that was changed",
      async () => (await tab.evaluate(account)).said,
      (said) => said.some((words) => !words.startsWith("heard")),
    )
  })
})
