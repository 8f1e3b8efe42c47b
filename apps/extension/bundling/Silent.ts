/**
 * For the bundler: takes loggers, traces, the stream of events, sentences of errors and the printed forms of values out of the background, where nobody would read
 * them. The extension says nothing on a console, what fails is shown to its user in words, and what is not written down can let no secret out.
 */
import type { Plugin } from "vite"

const effect = /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$/
const replaced = [
  ["new Set([defaultLogger, tracerLogger])", "new Set()"],
  // What made log entries is left with nothing that refers to it, and goes.
  ["export const logWithLevel = ", "export const logWithLevel = () => () => exitVoid\nconst unused = "],
] as const

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
    path: /[\\/]core[\\/](?:src|dist)[\\/]internal[\\/]tracing\.[jt]s$/,
    exports: ["isTraced", "traced"],
    code: "export const isTraced = () => false\nexport const traced = (_request, _redact, called) => called\n",
  },
  {
    // Errors are told by their reason, in the languages of the extension.
    path: /[\\/]core[\\/](?:src|dist)[\\/]internal[\\/]wording\.[jt]s$/,
    exports: ["headline", "advice"],
    code: 'export const headline = () => ""\nexport const advice = () => ""\n',
  },
  {
    // The background hears events by `listen`, which takes no queue.
    path: /[\\/]core[\\/](?:src|dist)[\\/]internal[\\/]events\.[jt]s$/,
    exports: ["streamOf"],
    code: "export const streamOf = () => undefined\n",
  },
]

export const silent = (): Plugin => ({
  name: "silent",
  enforce: "pre",
  transform(code, id) {
    const path = id.split("?", 1)[0]!
    if (effect.test(path)) {
      if (!replaced.every(([logging]) => code.includes(logging))) {
        this.error(`${id} has other loggers now: take this plugin out, or look for where they are chosen.`)
      }
      return {
        code: replaced.reduce((left, [logging, instead]) => left.replace(logging, instead), code),
        map: null,
      }
    }
    const found = modules.find((module) => module.path.test(path))
    if (found === undefined) return null
    const exported = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    if (exported.join() !== found.exports.join()) {
      this.error(`${id} has other exports now: write them here, too.`)
    }
    return { code: found.code, map: null }
  },
})
