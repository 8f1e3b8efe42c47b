/**
 * One finding of a checkup in words: its subject, the answer, how the answer is known, and which setting changes it. Plain data.
 */

/** How an answer is known: from the specification, observed on this server, assumed and not contradicted, or not at all. */
export type Certainty = "documented" | "verified" | "assumed" | "unknown"

export type Stage = "Connection" | "Key" | "Lists" | "Records" | "Answers"

export interface Finding {
  readonly stage: Stage
  /** The subject, in the same words for every server: `cursor parameter`. */
  readonly about: string
  readonly answer: string
  readonly certainty: Certainty
  /** The evidence for the answer; null if the answer says it all. */
  readonly evidence: string | null
  /** The flag that changes the behaviour; null if there is none. */
  readonly setting: string | null
  /** Whether it prevents work. */
  readonly problem: boolean
}

/** Optional members of a finding. */
export type Extras = { readonly [Name in "evidence" | "setting" | "problem"]?: Finding[Name] | undefined }

/** Returns a constructor for the findings of one stage. */
export const of =
  (stage: Stage) =>
  (
    about: string,
    answer: string,
    certainty: Certainty,
    { evidence = null, problem = false, setting = null }: Extras = {},
  ): Finding => ({ stage, about, answer, certainty, evidence, setting, problem })
