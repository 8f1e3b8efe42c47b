/**
 * For the bundler: removes loggers, traces, the stream of events and the sentences of errors from the background, where nobody would read them.
 * The extension logs nothing to a console, failures are shown to the user in words, and what is not logged cannot leak a secret.
 */
import type { Plugin } from "vite"
import { effectEdits } from "./EffectEdits.ts"

interface Replaced {
  readonly path: RegExp
  /** The exports of the module that the replacement knows. */
  readonly exports: ReadonlyArray<string>
  readonly code: string
}

const modules: ReadonlyArray<Replaced> = [
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
    // Errors are shown by their reason, in the languages of the extension.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*wording\.[jt]s$/,
    exports: ["headline", "advice"],
    code: 'export const headline = () => ""\nexport const advice = () => ""\n',
  },
  {
    // The compiler knows the options that the background gives: only address, key and cursor parameter come from outside.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*optionCheck\.[jt]s$/,
    exports: ["names", "problemOfOptions", "problemOfClient", "problemOfCall"],
    code: `export const names = {}
export const problemOfOptions = () => null
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
    // The background receives events by `listen`, which takes no queue.
    path: /[\\/]core[\\/](?:src|dist)[\\/](?:\w+[\\/])*events\.[jt]s$/,
    exports: ["streamOf"],
    code: "export const streamOf = () => undefined\n",
  },
]

/**
 * Modules whose sentences are for logs and for readers of an error's own text. The extension uses the reason for both. Evidence for a cursor is
 * not such a sentence: manifests have it.
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
    const changed = effectEdits.filter((module) => module.path.test(path))
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
