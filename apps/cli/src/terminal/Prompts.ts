/**
 * Prompts at a terminal, on standard error, because standard output is for data. Without a terminal there are no prompts.
 */
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Service {
  /** Whether there is a terminal for prompts. */
  readonly canAsk: boolean
  /** Asks for a text that is shown while it is typed. */
  readonly text: (question: string) => Effect.Effect<string>
  /** Asks for a text that is not shown while it is typed or pasted. */
  readonly secret: (question: string) => Effect.Effect<string>
}

export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly error: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })

/** Prompts on two streams. Ctrl-C and Ctrl-D interrupt. */
export const make = ({ error, input }: Streams): Service => {
  const ask = (question: string, isShown: boolean): Effect.Effect<string> =>
    Effect.callback<string>((resume) => {
      // An interface in terminal mode receives single keys, so that only this code decides what is echoed.
      const lines = createInterface({
        input,
        output: isShown ? error : nothing,
        terminal: true,
        historySize: 0,
      })
      let answered = false
      /** Ends the prompt. Only Enter with visible input has already ended the line on the screen. */
      const close = (hasLineEnd: boolean): void => {
        if (answered) return
        answered = true
        lines.close()
        if (!hasLineEnd) error.write("\n")
      }
      const finish = (answer: Effect.Effect<string>, hasLineEnd: boolean): void => {
        if (answered) return
        close(hasLineEnd)
        resume(answer)
      }
      if (isShown) lines.setPrompt(question)
      lines.once("line", (line) => finish(Effect.succeed(line.trim()), isShown))
      // After Ctrl-Z and `fg` the input is paused. Node writes the question again, but not where nothing is shown.
      lines.on("SIGCONT", () => {
        if (!isShown) error.write(question)
        lines.resume()
      })
      lines.once("SIGINT", () => finish(Effect.interrupt, false))
      lines.once("close", () => finish(Effect.interrupt, false))
      // Written last, for input that arrives at once: until the interface exists, the terminal echoes what is typed.
      error.write(question)
      return Effect.sync(() => close(false))
    })
  return {
    canAsk: input.isTTY === true && error.isTTY === true,
    text: (question) => ask(question, true),
    secret: (question) => ask(question, false),
  }
}

/** The prompts, by default at the terminal of this process. */
export const Prompts = Context.Reference<Service>("deedkit/Prompts", {
  defaultValue: () => make({ input: process.stdin, error: process.stderr }),
})
