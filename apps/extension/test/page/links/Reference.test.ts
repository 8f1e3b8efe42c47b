import { describe, expect, it } from "vitest"
import { reader, readerOf } from "../../../src/address/Reference.ts"

const base = "https://homes.example/en/index"
const read = reader([], base)

describe("references of a link", () => {
  it.each([
    ["/homes/blue-door", ["blue-door"]],
    ["/homes/aurora", ["homes/aurora"]],
    ["/homes/blue-door/photos?size=2#first", ["blue-door/photos"]],
    ["blue-door", ["blue-door"]],
    ["https://homes.example/homes/blue-door", ["blue-door"]],
    ["/homes//blue-door/", ["blue-door"]],
    ["/homes/caf%C3%A9-noir", ["café-noir"]],
    ["/homes/%E0%A4%A", ["homes/%E0%A4%A"]],
    ["/homes/__proto__", ["__proto__"]],
    ["/homes/blue-door.html;a=b", ["blue-door.html"]],
    ["#/homes/blue-door?tab=1", ["blue-door"]],
    ["/app#!/homes/blue-door", ["blue-door"]],
    ["/homes/flat-1234", ["flat-1234"]],
    ["/blue-door/1234", ["blue-door/1234"]],
    ["/./homes/../flats/blue-door", ["blue-door"]],
    ["/ho\tmes/blue-\ndoor ", ["blue-door"]],
    ["/%2e/homes/blue-door", ["blue-door"]],
    ["?page=2", ["en/index"]],
    ["?slug=blue-door&q=red-door", ["en/index", "blue-door"]],
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
    "https://other.example/homes/blue-door",
    "//other.example/blue-door",
    "/\t/other.example/blue-door",
    "/\\other.example/blue-door",
    "\\/other.example/blue-door",
  ])("%j has none", (href) => {
    expect(read(href)).toEqual([])
  })

  it.each(["/41001", "#/41001", "/%34%31001", "/:contract/7", "/:unit/7", "/%3Aunit%2F7"])(
    "are none that only patterns find: %s",
    (href) => {
      expect(read(href)).toEqual([])
    },
  )

  it("are no texts that are longer than any slug that is looked up", () => {
    expect(read(`/homes/${"x-".repeat(101)}`)).toEqual([])
    expect(read(`/homes/${"x".repeat(200)}`)).toEqual(["x".repeat(200)])
    expect(read(`/${"x".repeat(200)}/aurora`)).toEqual(["aurora"])
  })

  it("are none where the page's base is another site's, but for whole addresses of its own", () => {
    const own = readerOf([], "https://elsewhere.example/deep/", { origin: "https://homes.example" })
    expect(own("/homes/blue-door")).toEqual([])
    expect(own("blue-door")).toEqual([])
    expect(own("https://homes.example/homes/blue-door")).toEqual(["blue-door"])
  })
})

describe("references by patterns", () => {
  it("come first, numbers last, and patterns that cannot be read find nothing", () => {
    const own = reader(["?listing=:id", "nonsense", "/homes/:slug/**"], base)
    expect(own("/tour?listing=12")).toEqual(["tour", "12"])
    expect(own("/homes/blue/photos")).toEqual(["blue/photos", "blue", "blue/photos"])
    expect(own("/homes/red/photos?listing=12#top")).toEqual(["red/photos", "red", "red/photos", "12"])
    expect(own("https://homes.example/tour?listing=12#top")).toEqual(["tour", "12"])
  })

  it("are no longer than any reference may be", () => {
    expect(reader(["?home=:slug"], base)(`/?home=${"x".repeat(201)}`)).toEqual([])
  })
})
