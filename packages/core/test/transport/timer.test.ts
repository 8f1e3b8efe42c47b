import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { alarm } from "../../src/internal/timer.ts"

const day = 86_400_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Hours, in whole ones, after which an alarm rings that is watched for 100 days; null for never. */
const ringsAfter = (millis: number): number | null => {
  let rung = 0
  alarm(millis, () => void (rung += 1))
  for (let hours = 0; hours <= 2_400; hours++) {
    if (rung > 0) return hours
    vi.advanceTimersByTime(day / 24)
  }
  return null
}

describe("an alarm", () => {
  it.each([
    [1, 1],
    [day, 24],
    [2 ** 31 - 1, 597],
    [2 ** 31, 597],
    [30 * day, 720],
    [90 * day, 2_160],
    [Infinity, null],
  ])("of %d ms rings when that time is over, however long it is", (millis, hours) => {
    expect(ringsAfter(millis)).toBe(hours)
  })

  it("rings once", () => {
    const ring = vi.fn<() => void>()
    alarm(30 * day, ring)
    vi.advanceTimersByTime(200 * day)
    expect(ring).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("counts anew when it is restarted, and keeps silent when it is stopped", () => {
    const ring = vi.fn<() => void>()
    const { restart, stop } = alarm(30 * day, ring)
    vi.advanceTimersByTime(29 * day)
    restart()
    vi.advanceTimersByTime(29 * day)
    expect(ring).not.toHaveBeenCalled()
    stop()
    vi.advanceTimersByTime(200 * day)
    expect(ring).not.toHaveBeenCalled()
  })
})
