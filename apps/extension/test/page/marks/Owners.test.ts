// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest"
import { reader } from "../../../src/address/Reference.ts"
import { formOf, linksIn, makeLinks } from "../../../src/page/Links.ts"

let owners: ReturnType<typeof makeLinks>
beforeEach(() => {
  owners = makeLinks()
})

const read = reader([], document.baseURI)
const take = (html: string, reading = read) => {
  document.body.innerHTML = html
  owners.take(linksIn([document.body], reading))
}
/** The ids of the cards, by the ids of their links. */
const cards = () => {
  const all = Array.from(
    owners.all(),
    ({ card, found }) => [found.link.id, card.id || card.localName] as const,
  )
  return Object.fromEntries(all.filter(([link]) => link !== ""))
}
const card = (slug: string) =>
  `<article id="${slug}"><a id="${slug}-picture" href="/homes/${slug}"></a><h3><a id="${slug}-title" href="/homes/${slug}">x</a></h3><p><a href="/agents/anna">Anna</a> <a href="/tags/sea">sea</a> <a href="/tags/${slug}">x</a></p><a id="${slug}-map" href="/homes/${slug}#map"></a></article>`

describe("the form of an address", () => {
  it.each([
    ["/homes/blue", "blue", "/homes/*"],
    ["/homes/blue/", "blue", "/homes/*/"],
    ["/homes/blue?x=1#y", "blue", "/homes/*"],
    ["/homes/Blue_Door.html", "Blue_Door.html", "/homes/*"],
    ["/homes/blue/el", "blue/el", "/homes/blue/*"],
    ["/homes/blue/photos", "photos", "/homes/blue/*"],
    ["/homes?listing=41", "41", "/homes?listing=*"],
    ["#/homes/blue", "blue", "#/homes/*"],
    ["/homes/%CE%B4%CF%8D%CE%BF", "δύο", "/homes/*"],
    ["/homes/%E0%A4%A", "blue", "/homes/%E0%A4%A"],
  ])("%s with the listing %s is %s", (href, key, form) => {
    expect(formOf(href, key)).toBe(form)
  })

  it("is the same where the address has its origin", () => {
    expect(formOf(`${location.origin}/homes/blue`, "blue")).toBe("/homes/*")
  })
})

describe("the card of a link", () => {
  it("is the highest element with one listing of its form, whatever else is linked in it", () => {
    take(`<div>${card("blue")}${card("red")}</div>`)
    expect(cards()).toEqual({
      "blue-picture": "blue",
      "blue-title": "blue",
      "blue-map": "blue",
      "red-picture": "red",
      "red-title": "red",
      "red-map": "red",
    })
  })

  it.each<readonly [name: string, pattern: string | null, addresses: ReadonlyArray<string>]>([
    [
      "a slug and an id",
      null,
      ["/new/sea-view/4100001.html", "/new/blue-door/4100002.html", "/new/olive/4100003.html"],
    ],
    [
      "a slug and an id with a word",
      null,
      ["/homedetails/1-Sea-St/4100001_zpid/", "/homedetails/2-Sea-St/4100002_zpid/"],
    ],
    ["a city and a slug", null, ["/en/rent/athens/sea-view", "/en/rent/patras/blue-door"]],
    [
      "a city and a slug, two of them in one city",
      null,
      ["/rent/athens/sea-view", "/rent/patras/blue-door", "/rent/athens/olive-loft"],
    ],
    [
      "a number and a district",
      "/*.:id.html",
      ["/room-in-Kypseli.41.html", "/room-in-Koukaki.42.html", "/room-in-Plaka.43.html"],
    ],
    ["numbers at two places", "/*/:id", ["/flat/41", "/house/42"]],
  ])("is one for each listing where their addresses have %s", (_, pattern, addresses) => {
    const rows = addresses.map(
      (address, at) =>
        `<div id="card-${at}"><div><a id="picture-${at}" href="${address}"></a></div><p><a id="title-${at}" href="${address}">x</a></p><i><a id="more-${at}" href="${address}?more=1">x</a></i></div>`,
    )
    take(`<div>${rows.join("")}</div>`, reader(pattern === null ? [] : [pattern, "!*"], document.baseURI))
    expect(cards()).toEqual(
      Object.fromEntries(
        addresses.flatMap((_, at) =>
          ["picture", "title", "more"].map((part) => [`${part}-${at}`, `card-${at}`]),
        ),
      ),
    )
  })

  it("is found anew when listings come whose addresses differ in several segments", () => {
    const row = (at: number) =>
      `<div id="card-${at}"><a id="one-${at}" href="/new/s-${at}/410000${at}">x</a></div>`
    take(`<div id="all">${row(1)}</div>`)
    expect(cards()).toEqual({ "one-1": "all" })
    const all = document.querySelector("#all")!
    all.insertAdjacentHTML("beforeend", row(2))
    owners.take(linksIn([all.lastElementChild!], read))
    expect(cards()).toEqual({ "one-1": "card-1", "one-2": "card-2" })
  })

  const inArea = (slug: string, area: string, more = "") =>
    `<li id="card-${slug}"><a id="${slug}-picture" href="/homes/${slug}"></a><h3><a id="${slug}" href="/homes/${slug}">x</a></h3><a id="${slug}-area" href="/area/${area}">${area}</a>${more}</li>`
  /** What the cards are where these areas are links that several listings have. */
  const inAreas = (slugs: ReadonlyArray<string>, shared: ReadonlyArray<string>) =>
    Object.fromEntries(
      slugs.flatMap((slug) => [
        [`${slug}-picture`, `card-${slug}`],
        [slug, `card-${slug}`],
        [`${slug}-area`, shared.includes(slug) ? `${slug}-area` : `card-${slug}`],
      ]),
    )

  it.each<[string, ReadonlyArray<readonly [slug: string, area: string]>, ReadonlyArray<string>]>([
    [
      "one area",
      [
        ["blue", "kolonaki"],
        ["red", "kolonaki"],
      ],
      ["blue", "red"],
    ],
    [
      "several areas",
      [
        ["blue", "kolonaki"],
        ["red", "plaka"],
        ["green", "kolonaki"],
      ],
      ["blue", "green"],
    ],
  ])("is the link alone where it leads to what several listings have: %s", (_, listings, shared) => {
    take(`<ul>${listings.map(([slug, area]) => inArea(slug, area)).join("")}</ul>`)
    expect(cards()).toEqual(
      inAreas(
        listings.map(([slug]) => slug),
        shared,
      ),
    )
  })

  it("is found anew when a second listing of its area comes, and stays that of a listing that stands in several cards", () => {
    take(`<div><ul>${inArea("blue", "kolonaki")}</ul></div>`)
    expect(cards()).toEqual(inAreas(["blue"], []))
    document.querySelector("ul")!.insertAdjacentHTML("beforeend", inArea("red", "kolonaki"))
    owners.take(linksIn([document.querySelector("#card-red")!], read))
    expect(cards()).toEqual(inAreas(["blue", "red"], ["blue", "red"]))
    document.querySelector("#card-red")!.remove()
    owners.take([])
    expect(cards()).toEqual(inAreas(["blue"], []))
    take(
      `<ul>${inArea("blue", "kolonaki")}${inArea("red", "plaka")}</ul><ul>${inArea("blue", "kolonaki").replaceAll('id="', 'id="seen-')}</ul>`,
    )
    expect(cards()).toMatchObject(inAreas(["blue", "red"], []))
  })

  it.each([
    ["book", (slug: string) => `/book-viewing?listing=${slug}`],
    ["share", (slug: string) => `/share?url=/homes/${slug}`],
    ["keep", (slug: string) => `/favorites/add?listing=${slug}.html`],
  ])("is that of the listing where a link to %s names it in a parameter", (what, addressOf) => {
    const slugs = ["sea-view", "blue-door", "olive-loft"]
    const more = (slug: string) => `<a id="${slug}-${what}" href="${addressOf(slug)}">x</a>`
    const ofMore = Object.fromEntries(slugs.map((slug) => [`${slug}-${what}`, `card-${slug}`]))
    const list = (areas: ReadonlyArray<string>) =>
      `<ul>${slugs.map((slug, at) => inArea(slug, areas[at]!, more(slug))).join("")}</ul>`
    take(list(["kolonaki", "kolonaki", "kolonaki"]))
    expect(cards()).toEqual({ ...inAreas(slugs, slugs), ...ofMore })
    take(list(["kolonaki", "plaka", "kolonaki"]))
    expect(cards()).toEqual({ ...inAreas(slugs, ["sea-view", "olive-loft"]), ...ofMore })
  })

  it("of the only listing is no larger than what has one heading", () => {
    take(`<div id="all"><h2>News</h2><div id="some">${card("blue")}</div><h2>More</h2></div>`)
    expect(cards()["blue-title"]).toBe("some")
  })

  it("of the only listing is not what holds more than twelve links", () => {
    const links = Array.from({ length: 12 }, (_, at) => `<a href="/x${at}/y${at}">x</a>`)
    take(`<div id="all"><p id="text"><a id="one" href="/homes/blue">x</a></p>${links.join("")}</div>`)
    expect(cards()["one"]).toBe("text")
  })

  it("of the only listing is not what the page's heading is in", () => {
    take(`<div id="all"><h1>About us</h1><p id="text">See <a id="one" href="/homes/blue">x</a></p></div>`)
    expect(cards()["one"]).toBe("text")
    take(
      `<div id="all"><b role="heading" aria-level="1">Us</b><p id="text"><a id="one" href="/homes/red">x</a></p></div>`,
    )
    expect(cards()["one"]).toBe("text")
  })

  it.each([
    "BLUE-DOOR",
    "blue_door",
    "blue-door.html",
    "Blue_Door.php",
    "blue-door?to=/a-b",
    "blue-door?url=/homes/blue-door",
  ])("is one where another of its links has the listing as %s", (other) => {
    const row = (slug: string, last: string) =>
      `<p id="${slug}"><i><a id="${slug}-1" href="/homes/${slug}"></a></i><a id="${slug}-2" href="/homes/${last}"></a></p>`
    take(`<div>${row("blue-door", other)}${row("red-door", "red-door")}</div>`)
    expect(cards()).toEqual({
      "blue-door-1": "blue-door",
      "blue-door-2": "blue-door",
      "red-door-1": "red-door",
      "red-door-2": "red-door",
    })
  })

  it.each(["ul", "main", "table", "dialog", "div role=list", "nav"])("is never a %s", (tag) => {
    take(`<${tag}><a id="one" href="/homes/blue">x</a></${tag.split(" ")[0]}>`)
    expect(cards()["one"]).toBe("one")
  })

  it("follows links that get another address, that come, and that go", () => {
    take(`<div id="all"><div id="inner"><a id="one" href="/homes/blue">x</a></div></div>`)
    expect(cards()).toEqual({ one: "all" })
    document
      .querySelector("#all")!
      .insertAdjacentHTML("beforeend", '<p id="p"><a id="two" href="/homes/red">x</a></p>')
    owners.take(linksIn([document.querySelector("#p")!], read))
    expect(cards()).toEqual({ one: "inner", two: "p" })
    const two = document.querySelector("#two")!
    two.setAttribute("href", "/homes/blue")
    owners.take(linksIn([two], read))
    expect(cards()).toEqual({ one: "all", two: "all" })
    two.setAttribute("href", "mailto:a@b")
    owners.take(linksIn([two], read))
    document.querySelector("#one")!.remove()
    owners.take([])
    expect(cards()).toEqual({})
  })

  it("reaches through the roots of the page's own elements", () => {
    document.body.innerHTML = '<div id="host"></div><p><a href="/homes/red">x</a></p>'
    const root = document.querySelector("#host")!.attachShadow({ mode: "open" })
    root.innerHTML = '<a id="one" href="/homes/blue">x</a>'
    owners.take(linksIn([document.body, ...root.children], read))
    expect(cards()).toEqual({ one: "host" })
  })

  it("is found around a form with fields that are named like its members", () => {
    document.body.innerHTML =
      '<div id="all"><form id="form"><a id="one" href="/homes/blue">x</a></form></div><p><a href="/homes/red">x</a></p>'
    const form = document.querySelector("form")!
    for (const name of ["children", "getRootNode", "querySelectorAll"]) {
      Object.defineProperty(form, name, { value: form.firstElementChild })
    }
    owners.take(linksIn([document.body], read))
    expect(cards()).toEqual({ one: "all" })
  })

  it("is not looked for where a link leads to another origin", () => {
    take(
      '<a id="one" href="https://elsewhere.example/homes/blue">x</a><a id="two" href="//elsewhere.example/blue">x</a>',
    )
    expect(cards()).toEqual({})
  })
})
