/** The checkup of a server, as findings with facts: a surface chooses stages, runs them, and has its own words for the findings. */

export { connection, cursor, endpoint, key } from "./access.ts"
export { answers, clock } from "./answers.ts"
export type { DatedAnswer } from "./answers.ts"
export { begin, run } from "./Checkup.ts"
export type { Session, Stage } from "./Checkup.ts"
export type * from "./Finding.ts"
export { lists } from "./lists.ts"
export type { ListsOptions } from "./lists.ts"
/** The answers of a client without their records, and a limit of its requests: it wraps the transport. */
export * as ObservedAnswers from "./ObservedAnswers.ts"
export { records } from "./records.ts"
/** One small request for each endpoint: which of them the key can read, and what an error is about. */
export * as Trial from "./Trial.ts"
