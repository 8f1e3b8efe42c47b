import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import { onAbort } from "../../src/client/started.ts"

const watched = (...signals: ReadonlyArray<AbortSignal>) => {
  const reasons: Array<unknown> = []
  const forget = onAbort(signals, (reason) => void reasons.push(reason))
  const listeners = () => signals.map((signal) => getEventListeners(signal, "abort").length)
  return { forget, listeners, reasons }
}

describe("onAbort", () => {
  it("calls once, with the reason of the signal that aborts first, and listens to none after that", () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const { listeners, reasons } = watched(first.signal, second.signal)
    expect([reasons, listeners()]).toEqual([[], [1, 1]])
    second.abort("second")
    expect([reasons, listeners()]).toEqual([["second"], [0, 0]])
    first.abort("first")
    expect(reasons).toEqual(["second"])
  })

  it("calls at once for a signal that has aborted already, and listens to none", () => {
    const open = new AbortController()
    const { listeners, reasons } = watched(open.signal, AbortSignal.abort("before"))
    expect([reasons, listeners()]).toEqual([["before"], [0, 0]])
    open.abort("after")
    expect(reasons).toEqual(["before"])
  })

  it("calls nothing once it is forgotten", () => {
    const controller = new AbortController()
    const { forget, listeners, reasons } = watched(controller.signal)
    forget()
    forget()
    controller.abort()
    expect([reasons, listeners()]).toEqual([[], [0]])
  })
})
