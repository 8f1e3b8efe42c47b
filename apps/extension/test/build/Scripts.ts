/** What no script of a built extension may hold: ways to run text as code, ways to write text as a page, ways out that are not encrypted. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import type { Built } from "./Output.ts"
import { textsOf } from "./Output.ts"

/** Each with what is forbidden about it. */
const forbidden: ReadonlyArray<readonly [what: string, found: RegExp]> = [
  ["eval", /(?<![\w$.])eval\b/],
  ["the constructor of functions", /(?<![\w$])Function\s*\(|new\s+Function\b|\.constructor\s*\(\s*["'`]/],
  ["a timer with a text", /set(?:Timeout|Interval)\(\s*["'`]/],
  ["a document that is written", /document\.write/],
  ["a script that is loaded by hand", /importScripts|createElement\(\s*["'`]script/],
  ["a socket or beacon", /WebSocket|sendBeacon|EventSource\b|RTCPeerConnection/],
  ["storage that content scripts can read", /storage\.(?:local|sync|managed)\b/],
  ["a message from another extension", /onMessageExternal|onConnectExternal/],
  ["a place on the machine that built it", /\/(?:home|root|tmp|Users)\//],
  ["a library that nothing asked for", /@wxt-dev\/storage/],
]

/** Ways to turn a text into markup. */
const markup = /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|setHTMLUnsafe/g

const preact = fileURLToPath(import.meta.resolve("preact"))
const source = join(import.meta.dirname, "..", "..", "src")

/** Names of formats, which no one fetches. */
const names = [
  "http://www.w3.org/",
  "http://schemas.openxmlformats.org/",
  "http://schemas.microsoft.com/",
  "http://purl.org/dc/",
  "http://sheetjs.com",
]

/** The background, and what is brought into pages. */
const isSingle = /^(?:background|listing|details)\.js$/

export const scripts = ({ folder }: Built): void => {
  it.each(forbidden)("has no script with %s", async (_what, found) => {
    const texts = (await textsOf(folder())).filter(({ path }) => path.endsWith(".js"))
    const at = texts.flatMap(({ path, text }) => {
      const { index } = found.exec(text) ?? {}
      return index === undefined ? [] : [`${path}: ${text.slice(Math.max(0, index - 40), index + 60)}`]
    })
    expect(at).toEqual([])
  })

  it("has exceljs in a script of its own, which none loads before it is asked for", async () => {
    const texts = (await textsOf(folder())).filter(({ path }) => path.endsWith(".js"))
    const own = texts.filter(({ text }) => text.includes("xl/worksheets/"))
    expect(own.map(({ path }) => path)).toEqual([expect.stringMatching(/^assets\/Workbook-/)])
    const name = own[0]!.path.slice("assets/".length)
    const loading = texts.filter(({ text }) => text.includes(name))
    expect(loading.map(({ text }) => text.includes(`import(\`./${name}\`)`))).toEqual([true])
    for (const { text } of loading) expect(text.split(name)).toHaveLength(2)
  })

  it("makes no markup from a text: only Preact could, for a property that no page gives it", async () => {
    const found = (await textsOf(folder()))
      .filter(({ path }) => path.endsWith(".js"))
      .flatMap(({ path, text }) => (text.match(markup) ?? []).map((what) => `${path}: ${what}`))
    const ofPreact = (await readFile(preact, "utf8")).match(markup) ?? []
    expect(ofPreact.length).toBeGreaterThan(0)
    expect(found).toEqual(
      ofPreact.map((what): unknown => expect.stringMatching(`^chunks/[\\w-]+\\.js: ${what}$`)),
    )
    const names = (await readdir(source, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
    const own = await Promise.all(names.map((name) => readFile(join(source, name), "utf8")))
    expect(own.join("\n")).not.toMatch(/dangerouslySetInnerHTML/)
  })

  it("names no address that is not encrypted, but for the names of formats", async () => {
    const addresses = (await textsOf(folder())).flatMap(({ path, text }) =>
      [...text.matchAll(/http:\/\/[^\s"'`<>\\]*/g)].map(([address]) => `${path}: ${address}`),
    )
    expect(addresses.filter((at) => !names.some((name) => at.includes(`: ${name}`)))).toEqual([])
  })

  it("has pages without a script, style or handler of their own, which load nothing from elsewhere", async () => {
    const pages = (await textsOf(folder())).filter(({ path }) => path.endsWith(".html"))
    expect(pages.map(({ path }) => path)).toEqual([
      "export.html",
      "options.html",
      "popup.html",
      "sidepanel.html",
      "welcome.html",
    ])
    for (const { text } of pages) {
      expect(text).not.toMatch(/<script(?![^>]*\ssrc="\/)|<style|\son\w+=|\sstyle=/)
      expect(text).not.toMatch(/(?:src|href)="(?!\/[^/])/)
    }
  })

  it("has a background and a content script of one file each, as browsers want them", async () => {
    const single = (await textsOf(folder())).filter(({ path }) => isSingle.test(path))
    expect(single).toHaveLength(3)
    for (const { text } of single)
      expect(text).not.toMatch(/(?:^|[;}])\s*(?:import|export)[\s{"'`]|\bimport\(/)
  })

  it("has a background and a content script that say nothing on a console", async () => {
    const single = (await textsOf(folder())).filter(({ path }) => isSingle.test(path))
    for (const { text } of single) expect(text).not.toMatch(/(?<![\w$.])console\b/)
  })
}
