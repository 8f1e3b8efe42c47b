/** The checkup of a server, as findings with facts: a surface chooses stages, runs them, and has its own words for the findings. */

/** The answers of a client without their records, and a limit of its requests: it wraps the transport. */
export * as ObservedAnswers from "./ObservedAnswers.ts"
export { answers, begin, clock, connection, cursor, endpoint, key, lists, records, run } from "./stages.ts"
export type { DatedAnswer, Facts, Finding, Found, ListsOptions, Session, Stage } from "./stages.ts"
/** One small request for each endpoint: which of them the key can read, and what an error is about. */
export * as Trial from "./Trial.ts"
