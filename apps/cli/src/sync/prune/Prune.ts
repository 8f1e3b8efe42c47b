/** `deedkit sync prune` and `forget`: data that is removed from a mirror is also gone from the file. Sends nothing, and changes nothing at the service. */
import { Json } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { root } from "../../command/Root.ts"
import type { Work } from "../../command/Subcommand.ts"
import * as Session from "../../session/Session.ts"
import { count } from "../../terminal/Figures.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import * as Since from "../changes/Since.ts"
import * as Mirror from "../mirror/Mirror.ts"
import type { ForgetChoices, PruneChoices } from "./Prune.command.ts"

export const prune: Work<PruneChoices> = Effect.fn(function* ({ before, mirror }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const moment = Since.moment(before, yield* Clock.currentTimeMillis)
  const removed = yield* Mirror.change(mirror, (store) => store.prune(moment))
  if (flags.json) yield* terminal.json(Json.stringify({ mirror, before: moment, removed }, 2))
  Session.note(terminal, flags)(`${count(removed, "version", "versions")} from before ${moment} removed.`)
})

export const forget: Work<ForgetChoices> = Effect.fn(function* ({ accounts, mirror }) {
  const flags = yield* root
  const terminal = yield* Terminal
  const names = [...new Set(accounts)]
  yield* Mirror.change(mirror, (store) => Effect.forEach(names, store.forget, { discard: true }))
  if (flags.json) yield* terminal.json(Json.stringify({ mirror, removed: names }, 2))
  Session.note(terminal, flags)(`${count(names.length, "account", "accounts")} removed.`)
})
