/** For tests of tools that use this client. Needs no test runner. */

/** Values for tests: a contract, an API key, a page, a summary, a recorded page. */
export * as Fixtures from "./Fixtures.ts"
export { scripted } from "./Scripted.ts"
export type { ScriptedAnswer, ScriptedRequest } from "./Scripted.ts"
