/**
 * `deedkit doctor`: how this server behaves where the specification is open, and which flag to set for it. `Checkup` does the work; this file
 * applies the flags and prints the findings.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Checkup from "./Checkup.ts"
import { Environment } from "../terminal/Environment.ts"
import { count } from "../terminal/Figures.ts"
import type { Finding } from "./Finding.ts"
import * as FindingText from "./FindingText.ts"
import * as KeyStore from "../store/KeyStore.ts"
import * as ObservedAnswers from "./ObservedAnswers.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { root } from "../command/Root.ts"
import * as Session from "../session/Session.ts"
import * as Settings from "../session/Settings.ts"
import type { Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"

/** One retry distinguishes a temporary failure from a permanent one. */
const attempts = 2

/** Saves the findings about the server, which stay true for another key. */
const keep = Effect.fnUntraced(function* (own: ProfileFile.Known, findings: ReadonlyArray<Finding>) {
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const answers = Object.fromEntries(
    findings
      .filter(({ stage, problem }) => stage !== "Key" && !problem)
      .map(({ about, answer }) => [about, answer]),
  )
  yield* ProfileFile.learn(yield* Environment, own, (profile) => ({ ...profile, learnt: { at, answers } }))
})

const noProfile = usageError(
  "No profile of this address to save the findings in",
  "Create one with `deedkit auth login`, or name it with --profile.",
)

export const doctor: Work<{ readonly save: boolean }> = Effect.fn(function* ({ save }) {
  const flags = yield* root
  const sources = yield* Settings.gather(flags, yield* Environment)
  if (save && sources.own === null) return yield* noProfile
  const observer = ObservedAnswers.make(Checkup.mostRequests)
  const patient = { ...flags, attempts: flags.attempts ?? attempts }
  const { client, note, terminal } = yield* Session.openWith(sources, patient, "interactive", observer.wrap)
  const checkup = yield* Checkup.run({
    client,
    observer,
    searches: Settings.searches(sources),
    lastFour: KeyStore.lastFour(client.config.apiKey),
    onStage: (findings) =>
      flags.json
        ? Effect.void
        : terminal.dressed(FindingText.lines(findings, terminal.style, terminal.width)),
  })
  const { failure, findings, requests } = checkup
  if (flags.json) {
    const { base } = client.config
    yield* terminal.json(JSON.stringify({ baseUrl: base, requests, ok: failure === null, findings }, null, 2))
  }
  note(`${count(requests, "request", "requests")}. ${FindingText.legend}`, "dim")
  if (save && sources.own !== null) {
    yield* keep(sources.own, findings)
    note(`Saved in profile ${sources.own.name}.`)
  }
  if (failure !== null) return yield* failure
}, Effect.scoped)
