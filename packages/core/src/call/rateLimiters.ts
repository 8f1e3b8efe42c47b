/**
 * One gate for each key of each origin in this process: two clients of one key share its pace and its pauses. Gates of different
 * clocks are different gates, so that tests on a clock of their own share nothing.
 */
import type * as Clock from "effect/Clock"
import * as Pace from "./RateLimiter.ts"

const gates = new WeakMap<Clock.Clock, Map<string, WeakRef<Pace.Pace>>>()

/** The gate of this key; the ceiling asked for last holds. The fingerprint stands for origin and key. */
export const gateOf = (clock: Clock.Clock, keyFingerprint: string, ceiling: number): Pace.Pace => {
  const ofClock = gates.get(clock) ?? new Map<string, WeakRef<Pace.Pace>>()
  gates.set(clock, ofClock)
  const shared = ofClock.get(keyFingerprint)?.deref()
  if (shared !== undefined) {
    shared.setCeiling(ceiling)
    return shared
  }
  const pace = Pace.make(ceiling)
  ofClock.set(keyFingerprint, new WeakRef(pace))
  return pace
}
