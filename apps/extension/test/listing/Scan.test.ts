// @vitest-environment happy-dom
import { describe, expect, it } from "vitest"
import { reader } from "../../src/listing/Reference.ts"
import { linksIn } from "../../src/listing/Scan.ts"

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
    expect(addresses([body])).toEqual(["/a", "/b"])
    expect(addresses(body.querySelectorAll("a"))).toEqual(["/a", "/b"])
  })

  it("gives each link once, though elements lie within each other", () => {
    const body = page('<ul><li><a href="/a"></a></li></ul>')
    expect(addresses([body, ...body.querySelectorAll("*")])).toEqual(["/a"])
  })

  it("leaves out links that can lead to no listing", () => {
    expect(addresses([page('<a href="#x"></a><a href="mailto:a@b"></a><a href="/"></a>')])).toEqual([])
  })

  it("gives references with each link, and reads what is written, not what is followed", () => {
    const body = page('<base href="https://elsewhere.example/deep/"><a href="homes/blue"></a>')
    expect(linksIn([body], read)[0]?.references).toEqual(["blue", "homes"])
  })
})
