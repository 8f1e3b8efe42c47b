/**
 * One finding of a checkup in words: what it is about, the answer, how it is known, and which setting changes it. Plain data.
 */

/** It is specified, it was observed on this server, it is assumed and was not contradicted, or it is unknown. */
export type Certainty = "documented" | "verified" | "assumed" | "unknown"

export type Stage = "Connection" | "Key" | "Lists" | "Records" | "Answers"

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

/** What a finding may have beside its answer. */
export type Extras = { readonly [Name in "evidence" | "setting" | "problem"]?: Finding[Name] | undefined }

/** Makes findings of one stage. */
export const of =
  (stage: Stage) =>
  (
    about: string,
    answer: string,
    certainty: Certainty,
    { evidence = null, problem = false, setting = null }: Extras = {},
  ): Finding => ({ stage, about, answer, certainty, evidence, setting, problem })
