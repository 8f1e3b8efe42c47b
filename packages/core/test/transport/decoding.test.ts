import { describe, expect, it } from "vitest"
import { contract } from "../../src/testing/Fixtures.ts"
import { decode } from "../../src/Transport.ts"
import { readList, world } from "../fixtures/Setup.ts"

const latin1 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"))
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

describe("the text of a body", () => {
  it("is what its UTF-8 says, whatever charset it declares", () => {
    for (const type of [null, "application/json", "application/json; charset=iso-8859-1"]) {
      expect(decode(utf8("Café 東京 🏠"), type)).toEqual({ text: "Café 東京 🏠", wellEncoded: true })
    }
  })

  it("is without a byte order mark", () => {
    expect(decode(utf8("\ufeff{}"), null).text).toBe("{}")
    expect(decode(new Uint8Array(Buffer.from("\ufeffé", "utf16le")), "text/plain; charset=utf-16").text).toBe(
      "é",
    )
  })

  it.each([
    "application/json; charset=iso-8859-1",
    'application/json;Charset="Windows-1252"',
    "text/json; boundary=x; charset = latin1 ; q=1",
  ])("that is not UTF-8 is read as %s", (type) => {
    expect(decode(latin1("Café"), type)).toEqual({ text: "Café", wellEncoded: true })
  })

  it.each([null, "application/json", "application/json; charset=utf-8", "application/json; charset=klingon"])(
    "that is not UTF-8, with the type %j, is known not to be what was meant",
    (type) => {
      expect(decode(latin1("Café!"), type)).toEqual({ text: "Caf\ufffd!", wellEncoded: false })
    },
  )

  it("that is not in the charset that it declares either is known not to be what was meant", () => {
    const broken = new Uint8Array([...utf8("é"), 0xff, 0xff])
    expect(decode(broken, "text/plain; charset=shift_jis")).toMatchObject({ wellEncoded: false })
  })

  it("with a U+FFFD that was sent is what was meant", () => {
    expect(decode(utf8("a\ufffdb"), null)).toEqual({ text: "a\ufffdb", wellEncoded: true })
  })

  it("is read anew after one that could not be", () => {
    decode(new Uint8Array([0x61, 0xe2, 0x82]), null)
    expect(decode(utf8("é"), null)).toEqual({ text: "é", wellEncoded: true })
  })
})

const labelled = (id: number, label: string) => contract({ id, unit_label: label })
const page = { ok: true, items: [labelled(3, "plain"), labelled(2, "Café"), labelled(1, "plain")] }

/** A client of a service that sends this value in ISO 8859-1. */
const client = (value: unknown, charset: string) =>
  world({
    around: () => async () =>
      new Response(latin1(JSON.stringify(value)), {
        headers: { "content-type": `application/json${charset}`, "x-request-id": "req_7" },
      }),
  })

const notUtf8 = { path: "", expected: "text in UTF-8", found: "text that is not UTF-8" }

describe("a list that is not UTF-8", () => {
  const list = { ...page, next_before_id: null }

  it("rejects each record that holds such a character, and returns the others", async () => {
    const { client: of, run } = await client(list, "")
    const { error, pages, records } = await run(readList(of.contracts.pages({ onRejected: "collect" })))
    expect(error).toBeNull()
    expect(records.map(({ id }) => id)).toEqual([3, 1])
    expect(pages[0]?.rejected).toEqual([{ id: 2, issues: [notUtf8], raw: labelled(2, "Caf\ufffd") }])
    expect(pages[0]?.summary).toMatchObject({ records: 2, rejected: 1, complete: true })
  })

  it("names what else is wrong with such a record", async () => {
    const odd = { ...list, items: [{ ...labelled(2, "Café"), kind: 7 }] }
    const { client: of, run } = await client(odd, "")
    const { pages } = await run(readList(of.contracts.pages({ onRejected: "collect" })))
    expect(pages[0]?.rejected[0]?.issues).toEqual([
      notUtf8,
      { path: "kind", expected: "string", found: "number" },
    ])
  })

  it("ends the read with onRejected fail, and says why", async () => {
    const { client: of, fails } = await client(list, "")
    const error = await fails(of.contracts.collect({ max: "all" }))
    expect(error.reason).toEqual({ _tag: "RecordInvalid", id: 2, issues: [notUtf8] })
    expect(error.message).toContain("it should be text in UTF-8 and is text that is not UTF-8")
  })

  it("that says which charset it is in is a list like every other", async () => {
    const { client: of, run } = await client(list, "; charset=ISO-8859-1")
    expect(await run(of.contracts.collect({ max: "all" }))).toEqual(page.items)
  })

  it.each(["next_before_id", "note"])("outside of its records, in %s, is BodyInvalid", async (member) => {
    const { client: of, fails } = await client({ ...list, items: [], [member]: "é" }, "")
    expect((await fails(of.contracts.collect({ max: "all" }))).reason).toMatchObject({
      _tag: "BodyInvalid",
      problem: "encoding",
    })
  })
})

describe("any other answer that is not UTF-8", () => {
  it("is BodyInvalid after one request, and says so", async () => {
    const { client: of, fails } = await client({ ok: true, name: "Zoé", contract: labelled(2, "Zoé") }, "")
    for (const operation of [of.me(), of.contracts.get(2)]) {
      const error = await fails(operation)
      expect(error.reason).toMatchObject({ _tag: "BodyInvalid", status: 200, problem: "encoding" })
      expect(error.message).toContain("the answer is not valid UTF-8")
      expect([error.attempts.length, error.retryable, error.requestId]).toEqual([1, false, "req_7"])
    }
  })

  it("is what it says when it names its charset", async () => {
    const { client: of, run } = await client({ ok: true, name: "Zoé" }, "; charset=iso-8859-1")
    expect(await run(of.me())).toEqual({ ok: true, name: "Zoé" })
  })
})
