/**
 * What the parser prints: help and version on standard output when requested, one usage error on standard error, and help on standard error
 * when there are no arguments.
 */
import * as Effect from "effect/Effect"
import * as CliOutput from "effect/cli/CliOutput"
import * as Report from "./Report.ts"
import type * as Terminal from "../terminal/Terminal.ts"
import * as TerminalStyle from "../terminal/TerminalStyle.ts"
import * as Usage from "./Usage.ts"

/** Makes a presenter for a terminal. `json` applies to errors. */
export const make = (terminal: Terminal.Service, json: boolean): CliOutput.Presenter => ({
  present: (event) => {
    switch (event._tag) {
      case "Version":
        return Effect.ignore(terminal.lines([`${event.name} ${event.version}`]))
      case "Help": {
        const requested = event.reason === "Requested"
        const colors = requested && terminal.style !== TerminalStyle.none
        const help = CliOutput.defaultFormatter({ colors, inheritedFlags: "full" }).formatHelpDoc(
          event.helpDoc,
        )
        return requested
          ? Effect.ignore(terminal.dressed(TerminalStyle.dress([help])))
          : Effect.sync(() => terminal.say(help))
      }
      case "InvalidInvocation":
        return Effect.sync(() => Report.error(terminal, json, Usage.explain(event)))
    }
  },
})
