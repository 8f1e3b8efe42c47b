/**
 * `deedkit config explain`: shows each setting with its value, its source and the values that it overrides. It uses the same values as commands do,
 * and reports why they would be rejected. It shows only the last four characters of the key. Sends nothing.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Command from "effect/cli/Command"
import { Environment } from "../terminal/Environment.ts"
import * as FieldList from "../records/FieldList.ts"
import type { Failure } from "../failure/Failure.ts"
import * as Connections from "../session/Connections.ts"
import * as KeySource from "../session/KeySource.ts"
import * as KeyStore from "../store/KeyStore.ts"
import { examples, root } from "../command/SharedFlags.ts"
import type { Setting } from "../session/Setting.ts"
import { given, settleOr } from "../session/Setting.ts"
import * as Settings from "../session/Settings.ts"
import { Terminal } from "../terminal/Terminal.ts"
import type { Subcommand } from "../command/Subcommand.ts"

interface Explained extends Setting<string | null> {
  readonly setting: string
}

/** The profile, or a note that flags and variables replace it. */
const profileOf = ({ choice, unused }: Settings.Sources): Explained =>
  unused === null
    ? explained("profile", choice.name)
    : { setting: "profile", value: null, source: "not used", hides: [unused] }

const missing = (setting: string): Explained => ({ setting, value: null, source: "not set", hides: [] })

const explained = (setting: string, found: Setting<string> | null): Explained =>
  found === null ? missing(setting) : { setting, ...found }

/** The key in a form that is safe to show. Does not read standard input. */
const shown = Effect.fnUntraced(function* (source: KeySource.KeySource) {
  if (source._tag === "Stdin") return KeySource.place(source)
  const key = yield* Effect.result(KeySource.read(source))
  const place = KeySource.place(source)
  if (Result.isFailure(key)) return `cannot be read: ${key.failure.message}`
  return `${KeyStore.lastFour(key.success) ?? "too short to show a part of it"}, ${place}`
})

const keyOf = Effect.fnUntraced(function* (found: Settings.Sources["apiKey"]) {
  if (found === null) return missing("API key")
  const { hides, source, value } = found
  return {
    setting: "API key",
    value: yield* shown(value),
    source,
    hides: yield* Effect.forEach(hides, (each) =>
      Effect.map(shown(each.value), (value) => ({ source: each.source, value })),
    ),
  }
})

const number = (flag: string, value: number | undefined, fallback: string): Setting<string> =>
  settleOr(fallback, given(flag, value === undefined ? undefined : String(value)))

const line = ({ hides, setting, source, value }: Explained): FieldList.Field => {
  const hidden = hides.map((each) => `${each.source} (${each.value})`).join(" and ")
  const from = value === null ? source : `${value}  [${source}]`
  return { label: setting, text: hidden === "" ? from : `${from}, hides ${hidden}` }
}

/** The proxy of the base URL, if there is one, or why it cannot be used. */
const proxyLine = (
  found: Result.Result<{ readonly origin: string; readonly variable: string } | null, Failure>,
): ReadonlyArray<Explained> => {
  if (Result.isFailure(found))
    return [{ setting: "proxy", value: null, source: found.failure.message, hides: [] }]
  const proxy = found.success
  return proxy === null ? [] : [{ setting: "proxy", value: proxy.origin, source: proxy.variable, hides: [] }]
}

const explain = Command.make(
  "explain",
  {},
  Effect.fn(function* () {
    const flags = yield* root
    const terminal = yield* Terminal
    const sources = yield* Settings.gather(flags, yield* Environment)
    const { apiKey, baseUrl, choice, cursorParam, problem } = sources
    const proxy = yield* Effect.result(Connections.proxyOf(baseUrl?.value ?? ""))
    const settings: ReadonlyArray<Explained> = [
      profileOf(sources),
      explained("base URL", baseUrl),
      ...proxyLine(proxy),
      yield* keyOf(apiKey),
      explained("cursor parameter", cursorParam),
      explained("rate", number("--rate", flags.rate, "20")),
      explained("timeout", number("--timeout", flags.timeout, "30")),
      explained("attempts", number("--attempts", flags.attempts, "4, or 6 where everything is read")),
    ]
    for (const warning of choice.warnings) terminal.say(warning, "yellow")
    yield* flags.json
      ? terminal.json(
          JSON.stringify({ file: choice.path, settings, problem: problem?.message ?? null }, null, 2),
        )
      : terminal.dressed(
          FieldList.render(
            [
              ...settings.map(line),
              { label: "profiles are in", text: choice.path ?? "no file" },
              ...(problem === null ? [] : [{ label: "problem", text: problem.message }]),
            ],
            terminal.style,
            terminal.width,
          ),
        )
  }),
).pipe(
  Command.withDescription("Show each setting, its value, its source, and which values it overrides"),
  examples(`
    deedkit config explain
    deedkit config explain --json
  `),
)

export const config: Subcommand<"config"> = Command.make("config").pipe(
  examples("deedkit config explain"),
  Command.withSubcommands([explain]),
)
