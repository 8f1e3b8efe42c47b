import { describe, expect, it } from "vitest"
import type { ClientEvent, Listener } from "../../src/ClientEvent.ts"
import * as Listeners from "../../src/internal/listeners.ts"

const event: ClientEvent = {
  _tag: "SchemaDrift",
  at: "2026-03-01T14:00:00.000Z",
  collection: "contracts",
  path: "owner",
  found: "string",
}

const made = () => {
  const reports: Array<unknown> = []
  const heard: Array<string> = []
  const listeners = Listeners.make((error) => void reports.push(error))
  const named =
    (name: string): Listener =>
    () =>
      void heard.push(name)
  return { heard, listeners, named, reports }
}

/** An object with this one member, read from `get`. */
const member = (name: string, get: () => unknown): object =>
  Object.defineProperty({}, name, { get, enumerable: true })

const failing = (message: string) => (): never => {
  throw new Error(message)
}

/** Values that are hard to handle: nothing in them may be touched without care. */
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no property can be read")
    },
    has: () => {
      throw new Error("nothing can be asked")
    },
  },
)

describe("Listeners", () => {
  it("tells each one in the order in which they came", () => {
    const { heard, listeners, named } = made()
    expect(listeners.isEmpty()).toBe(true)
    for (const name of ["a", "b", "c"]) listeners.add(named(name))
    expect(listeners.isEmpty()).toBe(false)
    listeners.tell(event)
    expect(heard).toEqual(["a", "b", "c"])
  })

  it.each([new Error("mine"), undefined, null, "text", hostile])(
    "tells the others when one throws, and reports what it threw as it is (case %#)",
    (thrown) => {
      const { heard, listeners, named, reports } = made()
      listeners.add(named("before"))
      listeners.add(() => {
        throw thrown
      })
      listeners.add(named("after"))
      expect(() => listeners.tell(event)).not.toThrow()
      expect(heard).toEqual(["before", "after"])
      expect(reports).toHaveLength(1)
      expect(Object.is(reports[0], thrown)).toBe(true)
    },
  )

  it("reports what the promise of an async listener rejects with, once", async () => {
    const { heard, listeners, named, reports } = made()
    const error = new Error("late")
    listeners.add(async () => {
      throw error
    })
    listeners.add(async () => {})
    listeners.add(named("after"))
    listeners.tell(event)
    expect(heard).toEqual(["after"])
    await new Promise((resolve) => setImmediate(resolve))
    expect(reports).toEqual([error])
  })

  it.each([
    ["a then that throws", member("then", () => failing("then")), "then"],
    ["a then that cannot be read", member("then", failing("getter")), "getter"],
    ["a proxy that refuses everything", hostile, "no property can be read"],
  ])("reports a thenable of a listener that fails in its own way: %s", async (_, returned, message) => {
    const { listeners, reports } = made()
    listeners.add((): unknown => returned)
    expect(() => listeners.tell(event)).not.toThrow()
    await new Promise((resolve) => setImmediate(resolve))
    expect(reports).toEqual([expect.objectContaining({ message })])
  })

  it.each([0, null, "text", member("then", () => 5), () => {}])(
    "takes no notice of what a listener returns: %o",
    async (returned) => {
      const { listeners, reports } = made()
      listeners.add((): unknown => returned)
      listeners.tell(event)
      await new Promise((resolve) => setImmediate(resolve))
      expect(reports).toEqual([])
    },
  )

  it("a listener that ends itself while it is told hears nothing more, and the one after it is told", () => {
    const { heard, listeners, named } = made()
    const end = listeners.add(() => {
      heard.push("once")
      end()
    })
    listeners.add(named("after"))
    listeners.tell(event)
    listeners.tell(event)
    expect(heard).toEqual(["once", "after", "after"])
  })

  it("a listener that is ended by one before it is not told", () => {
    const { heard, listeners, named } = made()
    listeners.add(() => endSecond())
    const endSecond = listeners.add(named("second"))
    listeners.tell(event)
    expect(heard).toEqual([])
  })

  it("a listener that is added while others are told hears the next event, however many are added", () => {
    const { heard, listeners, named } = made()
    const addAnother = (): void => {
      heard.push("told")
      listeners.add(() => addAnother())
    }
    listeners.add(addAnother)
    listeners.tell(event)
    expect(heard).toEqual(["told"])
    listeners.add(named("late"))
    listeners.tell(event)
    expect(heard).toEqual(["told", "told", "told", "late"])
  })

  it("a listener that tells again is told again, and both come to an end", () => {
    const { heard, listeners, named } = made()
    let depth = 0
    listeners.add(() => {
      if (++depth < 3) listeners.tell(event)
    })
    listeners.add(named("each time"))
    listeners.tell(event)
    expect(heard).toHaveLength(3)
  })

  it("a function that is added twice hears once, and only its newest end ends it", () => {
    const { heard, listeners, named } = made()
    const listener = named("one")
    const endFirst = listeners.add(listener)
    const endSecond = listeners.add(listener)
    endFirst()
    listeners.tell(event)
    expect(heard).toEqual(["one"])
    endSecond()
    endSecond()
    expect(listeners.isEmpty()).toBe(true)
  })
})
