// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest"
import { makeAsk } from "../../src/page/ListingPage.ts"
import { mostReferences, referencesPerMinute } from "../../src/messages/ListingMessage.ts"
import { fact, makeChannel } from "./Facts.ts"

describe("what is known of references", () => {
  it("is asked for once a batch, each reference once, and nothing else is sent", async () => {
    const { asked, channel } = makeChannel({ known: { blue: fact() } })
    const ask = makeAsk(channel)
    expect(await ask.learn(["blue", "red", "blue"])).toBe(true)
    expect(await ask.learn(["red", "green"])).toBe(true)
    expect(await ask.learn(["red"])).toBe(true)
    expect(asked).toEqual([
      { type: "listing.lookup", references: ["blue", "red"] },
      { type: "listing.lookup", references: ["green"] },
    ])
  })

  it("names the first reference that has contracts", async () => {
    const { channel } = makeChannel({ known: { blue: fact(), red: fact({ count: 2 }) } })
    const ask = makeAsk(channel)
    await ask.learn(["photos", "blue", "red"])
    expect(ask.firstOf(["photos", "red", "blue"])).toEqual({ reference: "red", fact: fact({ count: 2 }) })
    expect(ask.firstOf(["photos", "never-asked"])).toBeNull()
  })

  it("is not fooled by names that every object has", async () => {
    const ask = makeAsk(makeChannel().channel)
    await ask.learn(["__proto__", "constructor", "toString"])
    expect(ask.firstOf(["__proto__", "constructor", "toString"])).toBeNull()
  })

  it("is asked for in messages of no more references than are answered", async () => {
    const { askedFor, channel } = makeChannel()
    const references = Array.from({ length: mostReferences + 1 }, (_, at) => `home-${at}`)
    await makeAsk(channel).learn(references)
    expect(askedFor("listing.lookup").map((request) => request.references.length)).toEqual([
      mostReferences,
      1,
    ])
  })

  it("stays unknown after a error, and is asked for again", async () => {
    const { answers, channel } = makeChannel({ known: null })
    const ask = makeAsk(channel)
    expect(await ask.learn(["blue"])).toBe(false)
    answers.known = { blue: fact() }
    expect(await ask.learn(["blue"])).toBe(true)
    expect(ask.firstOf(["blue"])?.reference).toBe("blue")
  })

  it("says that it waits where the tab has asked for too much, until that is answered", async () => {
    const { answers, channel } = makeChannel({ known: "later" })
    const ask = makeAsk(channel)
    expect(await ask.learn(["blue"])).toBe(false)
    expect(ask.isPaused()).toBe(true)
    answers.known = null
    expect(await ask.learn(["blue"])).toBe(false)
    expect(ask.isPaused()).toBe(false)
    answers.known = { blue: fact() }
    expect(await ask.learn(["blue"])).toBe(true)
    expect(ask.firstOf(["blue"])?.reference).toBe("blue")
  })

  it("stays what it was until what is asked anew is answered", async () => {
    const { answers, askedFor, channel } = makeChannel({ known: { blue: fact() } })
    const ask = makeAsk(channel)
    await ask.learn(["blue"])
    ask.renew()
    answers.known = null
    expect(await ask.learn(["blue"])).toBe(false)
    expect(ask.firstOf(["blue"])?.fact.count).toBe(1)
    answers.known = { blue: fact({ count: 2 }) }
    expect(await ask.learn(["blue"])).toBe(true)
    expect(ask.firstOf(["blue"])?.fact.count).toBe(2)
    expect(askedFor("listing.lookup")).toHaveLength(3)
  })

  it("is asked for anew no oftener than a tab may ask", async () => {
    vi.useFakeTimers()
    const ask = makeAsk(makeChannel().channel)
    const references = Array.from({ length: 3_600 }, (_, at) => `home-${at}`)
    const began = Date.now()
    let asked = 0
    while (Date.now() - began < 60_000) {
      ask.renew()
      await ask.learn(references)
      asked += references.length
      vi.advanceTimersByTime(Math.max(1, ask.pauseMillis()))
    }
    expect(asked).toBeLessThan(referencesPerMinute)
    expect(asked).toBeGreaterThan(references.length)
    vi.useRealTimers()
  })

  it("is not taken from an answer to a question of before it was forgotten", async () => {
    const { channel } = makeChannel({ known: { blue: fact() } })
    const ask = makeAsk(channel)
    const learning = ask.learn(["blue"])
    ask.forget()
    await learning
    expect(ask.firstOf(["blue"])).toBeNull()
  })

  it("keeps what an answer needs when there is too much of it", async () => {
    const { channel } = makeChannel({ known: { first: fact() } })
    const ask = makeAsk(channel)
    await ask.learn(["first"])
    await ask.learn(Array.from({ length: 50_000 }, (_, at) => `home-${at}`))
    await ask.learn(["first", "last"])
    expect(ask.firstOf(["first"])?.reference).toBe("first")
  })

  it("does not grow without end", async () => {
    const { askedFor, channel } = makeChannel()
    const ask = makeAsk(channel)
    await ask.learn(["first"])
    await ask.learn(Array.from({ length: 50_000 }, (_, at) => `home-${at}`))
    await ask.learn(["first"])
    expect(askedFor("listing.lookup").filter(({ references }) => references.includes("first"))).toHaveLength(
      2,
    )
  })
})
