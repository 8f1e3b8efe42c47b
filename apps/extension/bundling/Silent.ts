/**
 * For the bundler: takes loggers, traces, the stream of events, sentences of errors and the printed forms of values out of the background, where nobody would read
 * them. The extension says nothing on a console, what fails is shown to its user in words, and what is not written down can let no secret out.
 */
import type { Plugin } from "vite"
import { effectEdits } from "./EffectEdits.ts"
import type { Edited } from "./EffectEdits.ts"

const edited: ReadonlyArray<Edited> = [
  ...effectEdits,
  {
    // The background keeps what its rate limiters have learned as long as it runs, and never changes their limits.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*RateLimiter\.[jt]s$/,
    edits: [
      ["state: () => ({ rate, tokens, size, filledAt, pausedUntil, cleanAnswers }),", ""],
      ["restore: (state) => void ({ rate, tokens, size, filledAt, pausedUntil, cleanAnswers } = state),", ""],
      ["setLimits: (changed) => void ({ burst, ceiling } = changed),", ""],
      ["rate: () => (hasCeiling() ? rateNow() : Infinity),", "rate: rateNow,"],
      ["if (!hasCeiling()) return true", ""],
      ["Math.min(size, burst, ", "Math.min(size, "],
      ["const hasCeiling = ", "const hasCeiling = () => true\nconst limited = "],
      // Its only reader takes a time that has passed for none.
      ["pausedUntil: (now) => (pausedUntil > now ? pausedUntil : 0),", "pausedUntil: () => pausedUntil,"],
    ],
  },
  {
    // The background looks up many records without a plan.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*recordsOf\.[jt]s$/,
    edits: [
      ["const { plan = Lookup.many } = options ?? {}", "const plan = Lookup.many"],
      ["const source = { caller: using, collection, model }", ""],
      ["options, source)", "options)"],
      // Lists are read page by page, and from the service.
      ["    collect: (options) => {", "    collect: false && ((options) => {"],
      ["    },\n    get: (id, options) => {", "    }),\n    get: (id, options) => {"],
      ["if (recording !== undefined) {", "if (false) {"],
    ],
  },
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*Pagination\.[jt]s$/,
    edits: [
      ["if (recording === null) return reader.request(reading.ask!)", "return reader.request(reading.ask)"],
    ],
  },
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*PageReader\.[jt]s$/,
    edits: [["return { request, replay }", "return { request }"]],
  },
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*Reading\.[jt]s$/,
    edits: [
      ["  catchUp({", "  #catchUp({"],
      [
        "return this.#options.record ? { ...page, recorded: this.#recorded(answer, ask, summary) } : page",
        "return page",
      ],
    ],
  },
  {
    // A date and time by one expression: it takes longer, and a page of records takes hundreds of times as long to be written.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*Timestamp\.[jt]s$/,
    edits: [
      [
        "const startsWithDateTime = ",
        `const startsWithDateTime = (text) =>
  /^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)/.test(text)
const readByDigits = `,
      ],
    ],
  },
  {
    // Nobody hears what a record holds beyond the specification.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*schemaDrift\.[jt]s$/,
    edits: [
      ["const firstSight = ", "const firstSight = () => () => undefined\nconst sighted = "],
      ["const firstValues = ", "const firstValues = () => () => undefined\nconst valued = "],
      ["const reportMembers = ", "const reportMembers = () => undefined\nconst reported = "],
    ],
  },
]

/** Where core asks for spans: none are made here. */
const spans: ReadonlyArray<Edited> = [
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*Caller\.[jt]s$/,
    edits: [
      ["const tracing = makeTracing?.(config, redact)", ""],
      ["tracing?.attempt(call, sent) ?? sent", "sent"],
      ["tracing?.call(call, fiber, start) ?? start()", "start()"],
      ["joined: (waited) => tracing?.joined(call, waited) ?? waited,", ""],
      ["    tracing,\n", ""],
    ],
  },
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*SingleFlight\.[jt]s$/,
    edits: [["known.joined(wait(known))", "wait(known)"]],
  },
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*recordsOf\.[jt]s$/,
    edits: [
      ["using.tracing?.read(collection, opened) ?? opened", "opened"],
      ["using.tracing?.getMany(collection, lookups) ?? lookups", "lookups"],
    ],
  },
]

interface Replaced {
  readonly path: RegExp
  /** What the module exports, as far as the replacement knows. */
  readonly exports: ReadonlyArray<string>
  readonly code: string
}

const formats = ["format", "formatPropertyKey", "formatPath", "formatDate", "formatJson"]

const modules: ReadonlyArray<Replaced> = [
  {
    path: /[\\/]effect[\\/]dist[\\/]Formatter\.js$/,
    exports: formats,
    code: formats.map((name) => `export const ${name} = () => ""\n`).join(""),
  },
  {
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*tracing\.[jt]s$/,
    exports: ["make"],
    code: "export const make = null\n",
  },
  {
    // Records are written by core's own writer here, and copied between contexts; never by `JSON.stringify`.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*digits\.[jt]s$/,
    exports: ["writable", "writesItself", "keepDigits"],
    code: `export const writable = (_member, value) =>
  typeof value === "bigint" ? (JSON.rawJSON ?? String)(value.toString()) : value
export const writesItself = (value) => typeof value.toJSON === "function"
export const keepDigits = (_holder, integer) => integer
`,
  },
  {
    // There is no log.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*listenerWarning\.[jt]s$/,
    exports: ["listenerWarning"],
    code: "export const listenerWarning = () => () => undefined\n",
  },
  {
    // Errors are told by their reason, in the languages of the extension.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*wording\.[jt]s$/,
    exports: ["headline", "advice"],
    code: 'export const headline = () => ""\nexport const advice = () => ""\n',
  },
  {
    // The compiler knows the options that the background gives: none comes from outside but address, key and cursor parameter.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*optionCheck\.[jt]s$/,
    exports: ["names", "unknownOption", "problemOfClient", "problemOfCall"],
    code: `export const names = {}
export const unknownOption = () => null
export const problemOfClient = () => null
export const problemOfCall = () => null
`,
  },
  {
    // The background gives parts of a policy, or none.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*RetryOption\.[jt]s$/,
    exports: ["isSchedule", "over", "decide"],
    code: `export const isSchedule = () => false
export const over = (config, options) => ({ retry: { ...config.retry, ...options.retry } })
export const decide = () => undefined
`,
  },
  {
    // Every call of the background has the options of its client.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*withCaller\.[jt]s$/,
    exports: ["withCaller"],
    code: "export const withCaller = (caller, _of, _options, use) => use(caller)\n",
  },
  {
    // The background has the rate of a client without options.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*RateLimits\.[jt]s$/,
    exports: ["limitsOf"],
    code: "export const limitsOf = () => ({ start: 5, burst: 40, ceiling: 20 })\n",
  },
  {
    // The background has one clock, and few keys while it runs.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*rateLimiters\.[jt]s$/,
    exports: ["inProcess", "RateLimiters"],
    code: `import * as Effect from "effect/Effect"
import { make } from "./RateLimiter.ts"
const made = {}
export const inProcess = (key, limits) => (made[key] ??= make(limits))
export const RateLimiters = Effect.succeed(inProcess)
`,
  },
  {
    // The background hears events by `listen`, which takes no queue.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*events\.[jt]s$/,
    exports: ["streamOf"],
    code: "export const streamOf = () => undefined\n",
  },
]

/**
 * Modules whose sentences are for logs and for those who read an error's own text. The extension tells both by reason. Evidence for a cursor is
 * no such sentence: manifests have it.
 */
const withSentences =
  /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$|[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*(?:ClientConfig|deepJson|Progress|Reading|recordsOf|schemaDrift|Stats|Transport)\.[jt]s$/

/** A text of three words or more, with values in it or not, as an argument, a member's value or a branch. */
const sentence =
  /(?<=(?:[:?,(=]|=>|return)\s*)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$\{[^{}`]*\})*`)/g
const isSentence = (text: string): boolean => /[a-z,;] [a-z]+ [a-z]/.test(text)

export const silent = (): Plugin => ({
  name: "silent",
  enforce: "pre",
  transform(code, id) {
    const path = id.split("?", 1)[0]!
    const changed = [...edited, ...spans].filter((module) => module.path.test(path))
    const edits = changed.flatMap((module) => module.edits)
    if (!edits.every(([text]) => code.split(text).length === 2)) {
      this.error(`${id} is written otherwise now: look for what the edits of this plugin take out.`)
    }
    const kept = edits.reduce((left, [text, instead]) => left.replace(text, instead), code)
    if (withSentences.test(path)) {
      const left = kept.replace(sentence, (text) => (isSentence(text) ? '""' : text))
      if (left === kept) this.error(`${id} has no sentence any more: take it out of the list of this plugin.`)
      return { code: left, map: null }
    }
    if (edits.length > 0) return { code: kept, map: null }
    const found = modules.find((module) => module.path.test(path))
    if (found === undefined) return null
    const exported = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    if (exported.join() !== found.exports.join()) {
      this.error(`${id} has other exports now: write them here, too.`)
    }
    return { code: found.code, map: null }
  },
})
