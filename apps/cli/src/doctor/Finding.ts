/**
 * One thing that a checkup says about a server: what, how it is known, and which setting would change it. Plain data.
 */

/**
 * How something is known: the specification says it; this server has just shown it; nothing spoke against what is assumed; it could not be
 * found out.
 */
export type Certainty = "documented" | "verified" | "assumed" | "cannot tell"

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
  readonly trouble: boolean
}

type Extras = Partial<Pick<Finding, "evidence" | "setting" | "trouble">>

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
    trouble: false,
    ...extras,
  })

/** What a finding says of something that was not asked for. */
export const notAsked = "not asked: the requests of a checkup are used up"
