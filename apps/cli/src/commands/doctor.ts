/**
 * `deedkit doctor`: reports how this server behaves where the specification leaves it open, and which flag to set for that. The client's checkup does
 * the work; this file chooses the stages and prints the findings.
 */
import type { ClientError } from "@deedkit/core"
import * as Checkup from "@deedkit/core/checkup"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { Environment } from "../terminal/Environment.ts"
import { count } from "../terminal/Figures.ts"
import type { Finding } from "../doctor/FindingWords.ts"
import * as FindingWords from "../doctor/FindingWords.ts"
import * as KeyStore from "../store/KeyStore.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { examples, root, toggle } from "../command/SharedFlags.ts"
import * as Connections from "../session/Connections.ts"
import * as Session from "../session/Session.ts"
import * as Settings from "../session/Settings.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"

const mostRequests = 25

/** One retry distinguishes a temporary failure from a permanent one. */
const attempts = 2

/** Saves the findings about the server, which do not depend on the key. */
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

export const doctor: Subcommand<"doctor"> = Command.make(
  "doctor",
  { save: toggle("save", "Save the findings in the profile") },
  Effect.fn(function* ({ save }) {
    const flags = yield* root
    const sources = yield* Settings.gather(flags, yield* Environment)
    if (save && sources.own === null) return yield* noProfile
    const observer = Checkup.ObservedAnswers.make(mostRequests)
    const patient = { ...flags, attempts: flags.attempts ?? attempts }
    const { client, note, terminal } = yield* Session.openWith(sources, patient, "interactive", observer.wrap)
    const proxy = yield* Connections.proxyOf(client.config.base)
    if (proxy !== null) note(`Through the proxy ${proxy.origin} (${proxy.variable}).`)
    const session = Checkup.begin(client)
    const key = KeyStore.lastFour(client.config.apiKey) ?? "the key"
    const findings: Array<Finding> = []
    const failures: Array<ClientError.ClientError> = []
    const show = Effect.fnUntraced(function* (found: ReadonlyArray<Checkup.Finding>) {
      const earlier = findings.at(-1)?.stage
      for (const finding of found) {
        const words = FindingWords.of(finding, key)
        findings.push(words)
        // The service is usable whatever it answers to an unknown id.
        const isFailure = words.problem && finding._tag !== "UnknownId"
        if (isFailure && finding.error !== null) failures.push(finding.error)
      }
      const shown = findings.slice(findings.length - found.length)
      const [heading, ...lines] = FindingWords.lines(shown, terminal.style, terminal.width)
      if (flags.json || heading === undefined) return
      yield* terminal.dressed(shown[0]?.stage === earlier ? lines : [heading, ...lines])
    })
    yield* Checkup.run(session, [Checkup.connection], show)
    if (Checkup.Trial.ending(session.trials) === null) {
      const { answers } = observer
      const lists = Checkup.lists({ observer, searches: Settings.searches(sources) })
      const stages = [Checkup.clock(answers), Checkup.key, lists, Checkup.records, Checkup.answers(answers)]
      yield* Checkup.run(session, stages, show)
    }
    const [failure = null] = failures
    const requests = observer.requests()
    if (flags.json) {
      const { base } = client.config
      yield* terminal.json(
        JSON.stringify({ baseUrl: base, requests, ok: failure === null, findings }, null, 2),
      )
    }
    note(`${count(requests, "request", "requests")}. ${FindingWords.legend}`, "dim")
    if (save && sources.own !== null) {
      yield* keep(sources.own, findings)
      note(`Saved in profile ${sources.own.name}.`)
    }
    if (failure !== null) return yield* failure
  }, Effect.scoped),
).pipe(
  examples(`
    deedkit doctor
    deedkit doctor --save  # Save the findings in the profile
    deedkit doctor --json | jq '.findings[] | select(.problem)'  # Problems only
  `),
)
