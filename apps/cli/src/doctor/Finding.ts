/**
 * One finding of a checkup: what it is about, the answer, how it is known, and which setting changes it. Plain data.
 */

/**
 * How something is known: the specification says it, it was observed on this server, it is assumed and was not contradicted, or it is unknown.
 */
export type Certainty = "documented" | "verified" | "assumed" | "unknown"

const stages = ["Connection", "Key", "Lists", "Records", "Answers"] as const

export type Stage = (typeof stages)[number]

export interface Finding {
  readonly stage: Stage
  /** What it is about, the same words for every server: `cursor parameter`. */
  readonly about: string
  readonly answer: string
  readonly certainty: Certainty
  /** What the answer rests on, where that is more than the answer. */
  readonly evidence: string | null
  /** The flag that changes it; null for none. */
  readonly setting: string | null
  /** Whether it stands in the way of work. */
  readonly problem: boolean
}

type Extras = Partial<Pick<Finding, "evidence" | "setting" | "problem">>

/** Makes findings of one stage. */
export const of =
  (stage: Stage) =>
  (about: string, answer: string, certainty: Certainty, extras: Extras = {}): Finding => ({
    stage,
    about,
    answer,
    certainty,
    evidence: null,
    setting: null,
    problem: false,
    ...extras,
  })

/** The answer of a finding for which no request was left. */
export const notAsked = "not requested: the limit of requests is reached"
