import { describe, expect, it } from "vitest"
import { Ask } from "../../src/listing/Ask.ts"
import { limits } from "../../src/messages/ListingMessage.ts"
import { fact, makeChannel } from "./Facts.ts"

describe("what is known of references", () => {
  it("is asked for once a batch, each reference once, and nothing else is sent", async () => {
    const { asked, channel } = makeChannel({ known: { blue: fact() } })
    const ask = new Ask(channel)
    expect(await ask.learn(["blue", "red", "blue"])).toBe(true)
    expect(await ask.learn(["red", "green"])).toBe(true)
    expect(await ask.learn(["red"])).toBe(true)
    expect(asked).toEqual([
      { type: "listing.lookUp", references: ["blue", "red"] },
      { type: "listing.lookUp", references: ["green"] },
    ])
  })

  it("names the first reference that has contracts", async () => {
    const { channel } = makeChannel({ known: { blue: fact(), red: fact({ count: 2 }) } })
    const ask = new Ask(channel)
    await ask.learn(["photos", "blue", "red"])
    expect(ask.firstOf(["photos", "red", "blue"])).toEqual({ reference: "red", fact: fact({ count: 2 }) })
    expect(ask.firstOf(["photos", "never-asked"])).toBeNull()
  })

  it("is not fooled by names that every object has", async () => {
    const ask = new Ask(makeChannel().channel)
    await ask.learn(["__proto__", "constructor", "toString"])
    expect(ask.firstOf(["__proto__", "constructor", "toString"])).toBeNull()
  })

  it("is asked for in messages of no more references than are answered", async () => {
    const { askedFor, channel } = makeChannel()
    const references = Array.from({ length: limits.references + 1 }, (_, at) => `home-${at}`)
    await new Ask(channel).learn(references)
    expect(askedFor("listing.lookUp").map((request) => request.references.length)).toEqual([
      limits.references,
      1,
    ])
  })

  it("stays unknown after a refusal, and is asked for again", async () => {
    const { answers, channel } = makeChannel({ known: null })
    const ask = new Ask(channel)
    expect(await ask.learn(["blue"])).toBe(false)
    answers.known = { blue: fact() }
    expect(await ask.learn(["blue"])).toBe(true)
    expect(ask.firstOf(["blue"])?.reference).toBe("blue")
  })

  it("is not taken from an answer to a question of before it was forgotten", async () => {
    const { channel } = makeChannel({ known: { blue: fact() } })
    const ask = new Ask(channel)
    const learning = ask.learn(["blue"])
    ask.forget()
    await learning
    expect(ask.firstOf(["blue"])).toBeNull()
  })

  it("does not grow without end", async () => {
    const { askedFor, channel } = makeChannel()
    const ask = new Ask(channel)
    await ask.learn(["first"])
    await ask.learn(Array.from({ length: 50_000 }, (_, at) => `home-${at}`))
    await ask.learn(["first"])
    expect(askedFor("listing.lookUp").filter(({ references }) => references.includes("first"))).toHaveLength(
      2,
    )
  })
})
