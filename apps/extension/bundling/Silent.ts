/**
 * For the bundler: takes loggers, traces and the printed forms of values out of the background, where nobody would read them. The extension says
 * nothing on a console, what fails is shown to its user in words, and what is not written down can let no secret out.
 */
import type { Plugin } from "vite"

const effect = /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$/
const replaced = [
  ["new Set([defaultLogger, tracerLogger])", "new Set()"],
  // What made log entries is left with nothing that refers to it, and goes.
  ["export const logWithLevel = ", "export const logWithLevel = () => () => exitVoid\nconst unused = "],
] as const

const formatter = /[\\/]effect[\\/]dist[\\/]Formatter\.js$/
const formats = ["format", "formatPropertyKey", "formatPath", "formatDate", "formatJson"]
const unformatted = formats.map((name) => `export const ${name} = () => ""\n`).join("")

const tracing = /[\\/]core[\\/](?:src|dist)[\\/]internal[\\/]tracing\.[jt]s$/
const names = ["isTraced", "traced"]
const untraced =
  "export const isTraced = () => false\nexport const traced = (_request, _redact, called) => called\n"

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
    const [expected, instead] = formatter.test(path) ? [formats, unformatted] : [names, untraced]
    if (expected === names && !tracing.test(path)) return null
    const exported = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    if (exported.join() !== expected.join()) this.error(`${id} has other exports now: write them here, too.`)
    return { code: instead, map: null }
  },
})
