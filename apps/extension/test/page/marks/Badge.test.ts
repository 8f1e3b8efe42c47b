// @vitest-environment happy-dom
import { rootOf, textOf } from "../Browser.ts"
import { describe, expect, it, vi } from "vitest"
import * as Badge from "../../../src/page/marks/Badge.ts"
import { fact } from "../Facts.ts"

const open = (html: string) => {
  document.body.innerHTML = html
  const link = document.querySelector("a")
  if (link === null) throw new Error("the page has no link")
  return { badges: Badge.make(), link }
}
const badgesOf = (element: Element) => [...element.querySelectorAll("[data-deedkit=badge]")]

describe("a badge", () => {
  it("shows the leading status with its number, and the number of the others", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact())
    expect(textOf(badgesOf(link)[0])).toBe("1 active")
    badges.draw(link, "a", { ...fact({ count: 1200, status: "ended" }), count: 1202 })
    expect(badgesOf(link)).toHaveLength(1)
    expect(textOf(badgesOf(link)[0])).toBe("999+ ended +2")
  })

  it("is read out in words, as a part of its link", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact({ count: 2 }))
    const mark = rootOf(badgesOf(link)[0]).querySelector("[role=img]")
    expect(mark?.getAttribute("aria-label")).toBe("2 contracts: 2 active (rent)")
    expect(rootOf(badgesOf(link)[0]).querySelector("[tabindex], button, a")).toBeNull()
  })

  it("stands before the link's first text, where a long title cannot push it out", () => {
    const { badges, link } = open('<a href="/a"><img alt=""> <h3> <b>Blue</b> door</h3></a>')
    badges.draw(link, "a", fact())
    expect(link.querySelector("b")?.firstChild).toBe(badgesOf(link)[0])
  })

  it("stands at the end of a link without text", () => {
    const { badges, link } = open('<a href="/a"><img alt=""></a>')
    badges.draw(link, "a", fact())
    expect(link.lastChild).toBe(badgesOf(link)[0])
  })

  it("leaves the link without an attribute, and the page's text as it was", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact())
    expect(link.getAttributeNames()).toEqual(["href"])
    expect(badgesOf(link)[0]?.outerHTML).toBe('<span data-deedkit="badge"></span>')
    expect(link.textContent).toBe("Blue")
    expect(badgesOf(link)[0]?.shadowRoot).toBeNull()
  })

  it("shows hostile words as words", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(
      link,
      "a",
      fact({ kind: "<img src=x onerror=alert(1)>", status: `\u202E${"y".repeat(10_000)}` }),
    )
    const root = rootOf(badgesOf(link)[0])
    expect(root.querySelector("img")).toBeNull()
    expect(textOf(badgesOf(link)[0])).toBe(`1 \u2068${"y".repeat(59)}…\u2069`)
    expect(root.querySelector("[role=img]")?.getAttribute("aria-label")).toBe(
      `1 contract: 1 \u2068${"y".repeat(59)}…\u2069 (<img src=x onerror=alert(1)>)`,
    )
    expect(root.querySelector("span")?.childNodes).toHaveLength(0)
  })

  it("comes back where the page's scripts take it out, and gives up after five times in short order", () => {
    vi.useFakeTimers()
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact())
    for (let times = 1; times <= 5; times++) {
      link.textContent = "Blue"
      expect(badges.isLost(link)).toBe(true)
      badges.draw(link, "a", fact())
      expect(badges.isLost(link)).toBe(false)
    }
    link.textContent = "Blue"
    badges.draw(link, "a", fact())
    expect(badgesOf(link)).toEqual([])
    vi.advanceTimersByTime(5_000)
    badges.draw(link, "a", fact())
    expect(badgesOf(link)).toHaveLength(1)
    vi.useRealTimers()
  })

  it("stays in a link whose text counts half seconds", () => {
    vi.useFakeTimers()
    const { badges, link } = open('<a href="/a">Blue</a>')
    for (let left = 60; left > 0; left -= 0.5) {
      link.textContent = `${left} seconds left`
      badges.draw(link, "a", fact())
      expect(badgesOf(link)).toHaveLength(1)
      vi.advanceTimersByTime(500)
    }
    vi.useRealTimers()
  })

  it("is no element that a page can define", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact())
    expect(badgesOf(link)[0]?.localName).not.toContain("-")
  })

  it("is drawn anew in a copy of its link, without the copy's empty host", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact())
    const copy = link.cloneNode(true) as HTMLAnchorElement
    document.body.append(copy)
    badges.draw(copy, "a", fact())
    expect(badgesOf(copy).map(textOf)).toEqual(["1 active"])
  })

  it("knows its listing, and forgets it when it is taken away", () => {
    const { badges, link } = open('<a href="/a">Blue</a>')
    badges.draw(link, "a", fact())
    const [host] = badgesOf(link)
    expect([badges.referenceOf(link), host && badges.referenceOf(host)]).toEqual(["a", "a"])
    badges.erase(link)
    badges.erase(link)
    expect(badgesOf(document.body)).toEqual([])
    expect(badges.referenceOf(link)).toBeNull()
  })

  it("goes with all others at once", () => {
    const { badges } = open('<a href="/a">A</a><a href="/b">B</a>')
    for (const link of document.querySelectorAll("a")) badges.draw(link, "a", fact())
    expect(badgesOf(document.body)).toHaveLength(2)
    badges.clear()
    expect(document.body.innerHTML).toBe('<a href="/a">A</a><a href="/b">B</a>')
  })
})
