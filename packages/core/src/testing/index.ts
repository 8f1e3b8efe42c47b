/** For tests of tools that use this client. Needs no test runner. */

export { recordCalls, replayCalls } from "./CallRecorder.ts"
export type { CallRecording, RecordedCall } from "./CallRecorder.ts"
export { ExplorationFailed, explore } from "./Exploration.ts"
export type { ExploreOptions, Servers } from "./Exploration.ts"
/** Values for tests: a contract, an API key, a page, a summary, a recorded page. */
export * as Fixtures from "./Fixtures.ts"
export type { ListServer, ServerFault, ServerTraits } from "./ListServer.ts"
export type { Random } from "./Random.ts"
/** Servers to explore a tool with. */
export * as RandomServers from "./RandomServers.ts"
export { scripted } from "./Scripted.ts"
export type { ScriptedAnswer, ScriptedRequest } from "./Scripted.ts"
export { virtualClock } from "./VirtualClock.ts"
export type { VirtualClock } from "./VirtualClock.ts"
