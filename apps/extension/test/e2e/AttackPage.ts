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

/** It asks for its fonts where a letter or a digit needs them, and keeps every size that the browser reports of what it paints. */
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>—</title><link rel="icon" href="data:,"><style>
${families.map((family, at) => `@font-face { font-family: ${family}; src: url(/font-${at}); unicode-range: U+30-39, U+41-5A, U+61-7A }`).join("\n")}
body { margin: 20px }
main a { display: inline-block; height: 20px; margin: 0 0 330px; width: 300px }
</style><script>
const painted = []
new PerformanceObserver((list) => painted.push(...list.getEntries().map(({ size }) => Math.round(size)))).observe({ type: "largest-contentful-paint", buffered: true })
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
  const hosts = [...document.querySelectorAll<HTMLElement>("[data-deedkit]")]
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

/** The boxes that a script finds by looking at every place of the window: for each host of a kind its size, and the number of places. */
export const feel = (kind: string) => {
  const places = new Map<
    Element,
    { left: number; top: number; right: number; bottom: number; hits: number }
  >()
  for (let x = 1; x < innerWidth; x += 4) {
    for (let y = 1; y < innerHeight; y += 4) {
      for (const host of document.elementsFromPoint(x, y)) {
        if (host.getAttribute("data-deedkit") !== kind) continue
        const box = places.get(host) ?? { left: x, top: y, right: x, bottom: y, hits: 0 }
        box.right = Math.max(box.right, x)
        box.bottom = Math.max(box.bottom, y)
        box.top = Math.min(box.top, y)
        box.hits++
        places.set(host, box)
      }
    }
  }
  return [...places.values()].map((box) => [box.right - box.left, box.bottom - box.top, box.hits].join())
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
const labels = ["contract", "30 active", "+12", "Created", "Changed", "Updated", "Refresh", "Open in Deedkit"]

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
