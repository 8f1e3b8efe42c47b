/**
 * For the bundler: takes loggers and traces out of the background, where nobody would read them. The extension says nothing on a console, what
 * fails is shown to its user in words, and what is not written down can let no secret out.
 */
import type { Plugin } from "vite"

const effect = /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$/
const loggers = "new Set([defaultLogger, tracerLogger])"

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
      if (!code.includes(loggers)) {
        this.error(`${id} has other loggers now: take this plugin out, or look for where they are chosen.`)
      }
      return { code: code.replace(loggers, "new Set()"), map: null }
    }
    if (!tracing.test(path)) return null
    const exported = [...code.matchAll(/export const (\w+)/g)].map(([, name]) => name)
    if (exported.join() !== names.join()) this.error(`${id} has other exports now: write them here, too.`)
    return { code: untraced, map: null }
  },
})
