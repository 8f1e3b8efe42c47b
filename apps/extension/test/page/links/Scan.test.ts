// @vitest-environment happy-dom
import { describe, expect, it } from "vitest"
import { reader } from "../../../src/page/links/Reference.ts"
import { linksIn } from "../../../src/page/links/Scan.ts"

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
    expect(linksIn([body], read)[0]?.references).toEqual(["blue", "homes"])
  })
})
