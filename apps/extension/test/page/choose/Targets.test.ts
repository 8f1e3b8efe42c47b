// @vitest-environment happy-dom
import "../Browser.ts"
import { beforeEach, expect, it } from "vitest"
import * as Choice from "../../../src/page/choose/Choice.ts"
import * as Targets from "../../../src/page/choose/Targets.ts"

const link = (href: string): Element => {
  const made = document.createElement("a")
  made.setAttribute("href", href)
  document.body.append(made)
  return made
}

beforeEach(() => {
  location.href = "https://homes.example/offers?page=2"
  document.body.replaceChildren()
})

it.each([
  ["/homes/blue-door", "/homes/blue-door"],
  ["https://homes.example/homes?id=7#photos", "/homes?id=7#photos"],
  ["?page=3", "/offers?page=3"],
  ["#/homes/blue-door", "/offers?page=2#/homes/blue-door"],
])("leads to a page of the site: %s", (href, target) => {
  expect(Targets.targetOf(link(href))).toBe(target)
})

it.each([
  "https://other.example/homes/blue-door",
  "//other.example/homes/blue-door",
  "javascript:alert(1)",
  "mailto:a@homes.example",
  "https://:bad",
  "#top",
  "",
  `/${"x".repeat(Choice.longestAddress)}`,
])("leads to no page of the site: %s", (href) => {
  expect(Targets.targetOf(link(href))).toBeNull()
})

it("gives each address of the page once, the chosen one first, and no more than fit a message", () => {
  for (const href of ["/a", "/b", "https://other.example/", "/a", "#top"]) link(href)
  expect(Targets.targets("/b")).toEqual(["/b", "/a"])
  for (let at = 0; at < Choice.mostLinks + 10; at++) link(`/homes/${at}`)
  expect(Targets.targets("/b")).toHaveLength(Choice.mostLinks)
  expect(Choice.isChoice({ chosen: "/b", links: Targets.targets("/b") })).toBe(true)
})
