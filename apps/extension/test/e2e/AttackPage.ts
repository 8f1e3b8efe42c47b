/**
 * A listing site that wants to know what the extension shows on its pages, and what its scripts can do to find out. Its page holds no letter and
 * no digit of its own, so whatever it reads is the extension's.
 */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import type { Emulator } from "@deedkit/emulator"

/** Families of fonts that texts may be shown in, as a page can give them letters of its own. */
const families = [
  "system-ui",
  '"system-ui"',
  '"sans-serif"',
  '"Times New Roman"',
  '"DejaVu Sans"',
  '"Noto Sans"',
  '"Segoe UI"',
  '"Roboto"',
]

/**
 * It asks for its fonts where a letter or a digit needs them, and keeps what browsers tell a page by themselves: the sizes of what they paint,
 * shifts of its layout, scripts that took long, events of elements that are not its own, and what becomes of its tree.
 */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>—</title><link rel="icon" href="data:,"><style>
${families.map((family, at) => `@font-face { font-family: ${family}; src: url(/font-${at}); unicode-range: U+30-39, U+41-5A, U+61-7A }`).join("\n")}
body { margin: 20px }
main a { display: inline-block; height: 20px; margin: 0 0 330px; position: relative; width: 300px }
main i { height: 8px; left: 20px; position: absolute; top: 0; width: 8px }
</style><script>
const painted = []
const told = []
const observe = (type, take) => {
  try {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  } catch {}
}
observe("largest-contentful-paint", ({ size }) => painted.push(Math.round(size)))
observe("layout-shift", ({ value }) => told.push("shift " + value))
observe("element", ({ identifier }) => told.push("element " + identifier))
observe("long-animation-frame", ({ scripts }) => told.push(...scripts.map(({ sourceURL }) => "script " + sourceURL).filter((url) => url.includes("extension:"))))
for (const type of ["toggle", "beforetoggle", "transitionrun", "animationstart", "slotchange", "scrollend"]) {
  addEventListener(type, ({ target }) => told.push(type + " of " + target.nodeName), true)
}
addEventListener("focusin", ({ target }) => {
  if (!document.body.contains(target)) told.push("focus of " + target.nodeName)
}, true)
const changes = []
new MutationObserver((records) => {
  for (const { addedNodes, removedNodes, target, type } of records) {
    if (document.body?.contains(target)) continue
    for (const node of addedNodes) if (node.nodeName !== "BODY") changes.push("+" + node.nodeName + " in " + target.nodeName)
    for (const node of removedNodes) changes.push("-" + node.nodeName + " in " + target.nodeName)
    if (type === "attributes") changes.push("attribute of " + target.nodeName)
  }
}).observe(document, { attributes: true, childList: true, subtree: true })
</script></head><body><main></main></body></html>`

/** What a script of the page can find out about the text on it. */
export const spy = (words: ReadonlyArray<string>) => {
  const selection = getSelection()!
  const clear = () => selection.removeAllRanges()
  const found = words.filter((word) => {
    clear()
    return (window as unknown as { find: (...given: ReadonlyArray<unknown>) => boolean }).find(
      word,
      false,
      false,
      true,
    )
  })
  const texts: Array<string> = []
  for (const mode of ["off", "on"]) {
    document.designMode = mode
    clear()
    document.execCommand("selectAll")
    texts.push(selection.toString())
    for (const unit of ["character", "word", "line", "documentboundary"]) {
      selection.collapse(document.body, 0)
      for (let times = 0; times < 50; times++) selection.modify("extend", "forward", unit)
      texts.push(selection.toString())
    }
  }
  document.designMode = "off"
  clear()
  const hosts = [...document.querySelectorAll<HTMLElement>("html > div")]
  for (const host of hosts) {
    selection.selectAllChildren(host)
    texts.push(selection.toString(), host.innerText, host.title, host.outerHTML.replace(/<[^>]*>/g, ""))
    texts.push(...["::before", "::after"].map((part) => getComputedStyle(host, part).content))
    texts.push(host.shadowRoot === null ? "" : "a root")
    const { bottom, left, right, top } = host.getBoundingClientRect()
    for (const x of [left + 2, (left + right) / 2, right - 2]) {
      const caret = document.caretPositionFromPoint(x, (top + bottom) / 2)
      if (caret?.offsetNode.nodeType === Node.TEXT_NODE) texts.push(caret.offsetNode.nodeValue ?? "")
    }
  }
  clear()
  const all = document.createRange()
  all.selectNodeContents(document.body)
  texts.push(all.toString(), document.documentElement.innerText, document.body.textContent)
  // What a style says that has no content.
  const read = texts.filter((text) => /[\p{L}\p{N}]/u.test(text) && !/^(?:none|normal)$/.test(text))
  return { found, read, hosts: hosts.length }
}

/**
 * What a script finds of the extension by looking at every place of the window: for its element the size of the box around the places where
 * it is met, with their number; and the places where a caret would stand in it.
 */
export const feel = () => {
  const host = document.querySelector("html > div")
  const box = { left: Infinity, top: Infinity, right: 0, bottom: 0, hits: 0 }
  let carets = 0
  for (let x = 1; x < innerWidth; x += 4) {
    for (let y = 1; y < innerHeight; y += 4) {
      const isMet = host !== null && document.elementsFromPoint(x, y).includes(host)
      const places =
        x % 12 !== 1 || y % 12 !== 1
          ? []
          : [
              document.caretPositionFromPoint(x, y)?.offsetNode,
              document.caretRangeFromPoint?.(x, y)?.startContainer,
            ]
      if (places.some((place) => place != null && host?.contains(place))) carets++
      if (!isMet) continue
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
      box.hits++
    }
  }
  return {
    boxes: box.hits === 0 ? [] : [[box.right - box.left, box.bottom - box.top, box.hits].join()],
    carets,
  }
}

/** What it finds by questions about its own document. */
export const question = () => {
  const root = document.documentElement
  const host = document.querySelector<HTMLElement>("html > div")
  const { height } = host?.getBoundingClientRect() ?? {}
  return {
    children: [...root.children].map(({ nodeName }) => nodeName),
    attributes: host?.getAttributeNames(),
    content: host?.innerHTML,
    height,
    scrolls: host === null ? null : host.scrollHeight > 0 && host.scrollTop !== 0,
    animations: document.getAnimations().length,
    popovers: document.querySelectorAll(":popover-open, :modal").length,
    hovered: host?.matches(":hover, :focus, :focus-within, :active"),
    focused: document.activeElement === host,
    size: [root.scrollWidth <= innerWidth, root.scrollHeight <= innerHeight],
  }
}

/** Whether nothing lies over the probe in each link, as Chromium tells a page that asks for it; the last one is a probe elsewhere. */
export const probe = async () => {
  const isVisible = (element: Element): Promise<unknown> =>
    new Promise((resolve) => {
      const options: object = { trackVisibility: true, delay: 100 }
      const observer = new IntersectionObserver((entries) => {
        observer.disconnect()
        resolve((entries.at(-1) as unknown as { readonly isVisible: boolean }).isVisible)
      }, options)
      observer.observe(element)
    })
  const probes = [...document.querySelectorAll("main a")].map((link) => {
    const made = document.createElement("i")
    link.append(made)
    return made
  })
  const elsewhere = document.createElement("i")
  elsewhere.style.cssText = "top: 600px; left: 900px"
  document.querySelector("main")!.append(elsewhere)
  return Promise.all([...probes, elsewhere].map(isVisible))
}

export interface Site {
  readonly origin: string
  /** Paths that were asked for. */
  readonly asked: ReadonlyArray<string>
  readonly close: () => void
}

/** Serves the page at every address, and no font. */
export const serve = async (): Promise<Site> => {
  const asked: Array<string> = []
  const server = createServer(({ url = "" }, response) => {
    asked.push(url)
    const isPage = !url.startsWith("/font")
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
    response.end(isPage ? page : "")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Slugs of two listings whose contracts differ as much as they can: how many they are, and in which words. */
export const few = "one-quiet-home"
export const many = "house-of-many-contracts"

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789+:,·▸▾"
const labels = ["contract", "30 active", "+12", "Created", "Updated", "Synced", "Refresh", "Open in Deedkit"]

/** Adds both listings, and gives every word, letter and sign that may be shown of them. */
export const addSecrets = ({ store }: Emulator): ReadonlyArray<string> => {
  const texts: Array<string> = [...labels]
  const add = (
    slug: string,
    id: number,
    mix: ReadonlyArray<readonly [status: string, kind: string]>,
  ): void => {
    const listing = { id, slug, title: `Secret title of ${slug}`, city: "Secretville", area: "Hidden" }
    texts.push(listing.title, listing.city)
    mix.forEach(([status, kind], at) => {
      const unit_label = `Unit ${at} of ${slug}`
      store.insert({ status, kind, unit_label, listing, listing_id: id })
      texts.push(status, kind, unit_label)
    })
  }
  add(few, 41_001, [["draft", "rent"]])
  add(many, 41_002, [
    ...Array.from({ length: 30 }, () => ["active", "sale"] as const),
    ...Array.from({ length: 12 }, (_, at) => [`under_negotiation_${at}`, "offplan"] as const),
  ])
  return [
    ...new Set([...Array.from(alphabet), ...texts, ...texts.flatMap((text) => text.match(/\w+/g) ?? [])]),
  ]
}

/** Puts links on the page that say nothing, in the place of those before. */
export const showLinks = (slugs: ReadonlyArray<string>): void => {
  const links = slugs.map((slug) => {
    const link = document.createElement("a")
    link.href = `/homes/${slug}`
    return link
  })
  document.querySelector("main")!.replaceChildren(...links)
}
