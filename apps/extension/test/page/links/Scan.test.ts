// @vitest-environment happy-dom
import { describe, expect, it } from "vitest"
import { reader } from "../../../src/address/Reference.ts"
import { linksIn } from "../../../src/page/Links.ts"

const read = reader([], "https://homes.example/")
const page = (html: string) => {
  document.body.innerHTML = html
  return document.body
}
const addresses = (elements: Iterable<Element>) =>
  linksIn(elements, read).map(({ link }) => link.getAttribute("href"))

describe("a scan", () => {
  it("finds links in and under elements, in the order of the page", () => {
    const body = page('<a href="/a"></a><p><a href="/b"><b>x</b></a><a>none</a></p>')
    expect(addresses([body])).toEqual(["/a", "/b", null])
    expect(addresses(body.querySelectorAll("a"))).toEqual(["/a", "/b", null])
  })

  it("gives each link once, though elements lie within each other", () => {
    const body = page('<ul><li><a href="/a"></a></li></ul>')
    expect(addresses([body, ...body.querySelectorAll("*")])).toEqual(["/a"])
  })

  it("gives links that can lead to no listing without references, for they may have led to one before", () => {
    const body = page('<a href="#x"></a><a href="mailto:a@b"></a><a href="/"></a><a></a>')
    expect(linksIn([body], read).map(({ references }) => references)).toEqual([[], [], [], []])
  })

  it("is not led astray by a form with fields that are named like its methods", () => {
    const form = page('<form><a href="/a"></a></form>').querySelector("form")!
    for (const name of ["matches", "nodeName", "querySelectorAll", "closest"]) {
      Object.defineProperty(form, name, { value: document.createElement("input") })
    }
    expect(addresses([form])).toEqual(["/a"])
  })

  it("gives each link's address as the page has it", () => {
    const body = page('<a href="blue?x#y"></a><a></a>')
    expect(linksIn([body], read).map(({ href }) => href)).toEqual(["blue?x#y", ""])
  })

  it("gives references with each link, and reads what is written, not what is followed", () => {
    const body = page('<base href="https://elsewhere.example/deep/"><a href="homes/blue"></a>')
    expect(linksIn([body], read)[0]?.references).toEqual(["homes/blue"])
  })

  it("finds areas of pictures, links of drawings, and what has the role of a link and an address", () => {
    const body = page(
      '<map><area href="/on-a-map"></map><svg><a href="/in-a-drawing"><circle/></a></svg><div role="link" data-href="/by-its-role"><b role="link"></b></div>',
    )
    const old = document.createElementNS("http://www.w3.org/2000/svg", "a")
    old.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "/as-it-was")
    body.querySelector("svg")!.append(old)
    expect(linksIn([body], read).flatMap(({ references }) => references)).toEqual([
      "on-a-map",
      "in-a-drawing",
      "as-it-was",
      "by-its-role",
    ])
  })

  it("looks into open shadow roots, one within another, has them watched, and leaves closed ones", () => {
    const body = page("<div><section></section></div>")
    const rootOf = (host: Element, mode: "open" | "closed", html: string) => {
      const root = host.attachShadow({ mode })
      root.innerHTML = html
      return root
    }
    const outer = rootOf(
      body.querySelector("div")!,
      "open",
      '<p><a href="/in-one"></a></p><article></article><nav></nav>',
    )
    const inner = rootOf(outer.querySelector("article")!, "open", '<a href="/in-two"></a>')
    rootOf(outer.querySelector("nav")!, "closed", '<a href="/closed-one"></a>')
    const watched: Array<Node> = []
    const found = linksIn([body], read, (root) => watched.push(root))
    expect(found.flatMap(({ references }) => references)).toEqual(["in-one", "in-two"])
    expect(watched).toEqual([outer, inner])
    expect(linksIn([body.querySelector("div")!], read)).toHaveLength(2)
  })

  it("takes no field of a form for a shadow root", () => {
    const form = page('<form><a href="/a-b"></a></form>').querySelector("form")!
    Object.defineProperty(form, "shadowRoot", { value: document.createElement("input") })
    expect(linksIn([form], read)).toHaveLength(1)
  })
})
