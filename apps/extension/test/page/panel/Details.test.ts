// @vitest-environment happy-dom
import { textOf } from "../Browser.ts"
import { beforeEach, describe, expect, it } from "vitest"
import { drawCard } from "../../../src/page/panel/Details.ts"
import { detail } from "../Facts.ts"

let root: ShadowRoot
beforeEach(() => {
  document.body.innerHTML = "<a href='/blue'>Blue</a><div></div>"
  root = document.querySelector("div")!.attachShadow({ mode: "closed" })
})
const draw = (found: Parameters<typeof drawCard>[1]) => drawCard(root, found, document.querySelector("a")!)
const area = () => root.querySelector<HTMLElement>(".area")

describe("the card as it is drawn", () => {
  it("shows the listing and its contracts, and is read out when it comes", () => {
    draw(detail())
    expect(textOf(area())).toMatch(/^Bright flat Athens A-1 rent · active Created /)
    expect(area()?.querySelector("[role=status]")).not.toBeNull()
    expect(root.querySelector("[tabindex], button, a")).toBeNull()
  })

  it("says how many contracts there are beyond three", () => {
    const [one] = detail().contracts
    draw(detail({ contracts: [one!, one!, one!, one!], total: 9 }))
    expect(root.querySelectorAll("li")).toHaveLength(3)
    expect(textOf(area())).toMatch(/And 6 more$/)
  })

  it("says that there is nothing to show where that is refused", () => {
    draw(null)
    expect(textOf(area())).toBe("Contracts could not be loaded. Try again in a moment.")
  })

  it("leaves nothing when it is taken away", () => {
    draw(detail()).remove()
    expect(root.childElementCount).toBe(0)
  })

  it("has one size, whatever is in it", () => {
    draw(null)
    const { height } = area()!.style
    draw(detail())
    expect(height).toMatch(/px$/)
    expect(root.querySelectorAll<HTMLElement>(".area")[1]!.style.height).toBe(height)
  })
})
