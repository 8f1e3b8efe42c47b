import { describe, expect, it } from "vitest"
import { reader } from "../../../src/page/links/Reference.ts"

const base = "https://homes.example/en/index"
const read = reader([], base)

describe("references of a link", () => {
  it.each([
    ["/homes/blue-door", ["blue-door", "homes"]],
    ["/homes/blue-door/photos?size=2#first", ["photos", "blue-door", "homes"]],
    ["blue-door", ["blue-door", "en"]],
    ["https://other.example/homes/blue-door", ["blue-door", "homes"]],
    ["//other.example/blue-door", ["blue-door"]],
    ["/homes//blue-door/", ["blue-door", "homes"]],
    ["/homes/caf%C3%A9", ["café", "homes"]],
    ["/homes/hurting%2F3%3Fa%3D%C3%A4%26b", ["hurting/3?a=ä&b", "homes"]],
    ["/homes/%E0%A4%A", ["%E0%A4%A", "homes"]],
    ["/homes/__proto__", ["__proto__", "homes"]],
    ["/homes/blue-door.html", ["blue-door.html", "blue-door", "homes"]],
    ["#/homes/blue-door?tab=1", ["blue-door", "homes"]],
    ["/app#!/homes/blue-door", ["blue-door", "homes"]],
    ["/homes/flat-1234", ["flat-1234", "homes"]],
    ["?page=2", ["index", "en"]],
  ])("%s are %j", (href, expected) => {
    expect(read(href)).toEqual(expected)
  })

  it.each([
    "",
    "#photos",
    "mailto:a@homes.example",
    "tel:123",
    "javascript:alert(1)",
    "data:text/html,x",
    "http://[",
  ])("%j has none", (href) => {
    expect(read(href)).toEqual([])
  })

  it.each([
    "/41001",
    "#/41001",
    "/homes/1234",
    "/homes/1234.html",
    "/%34%31001",
    "/list/2",
    "/2024/03/15/news",
    "/page/12",
    "/offers?listing=41001",
  ])("are no numbers: %s", (href) => {
    expect(read(href).filter((reference) => /\d/.test(reference) && !reference.includes("."))).toEqual([])
  })

  it("are no texts that are longer than any slug that is looked up", () => {
    expect(read(`/homes/${"x".repeat(201)}`)).toEqual(["homes"])
    expect(read(`/homes/${"x".repeat(200)}`)).toHaveLength(2)
  })
})

describe("references by patterns", () => {
  it("come first, and patterns that cannot be read find nothing", () => {
    const own = reader(["?listing=:id", "nonsense", "/homes/:slug"], base)
    expect(own("/tour?listing=12")).toEqual(["12", "tour"])
    expect(own("/homes/blue/photos")).toEqual(["blue", "photos", "blue", "homes"])
    expect(own("https://homes.example/tour?listing=12#top")).toEqual(["12", "tour"])
  })

  it("may be ids of any length, anywhere in the path", () => {
    expect(reader(["/l/:id"], base)("/l/7/photos")).toEqual(["7", "photos", "l"])
    expect(reader(["/homes/:slug"], base)("/homes/1234")).toEqual(["1234", "homes"])
  })

  it("are no longer than any reference may be", () => {
    expect(reader(["?home=:slug"], base)(`/?home=${"x".repeat(201)}`)).toEqual([])
  })
})
