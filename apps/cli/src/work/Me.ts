/** `deedkit me`: who the key belongs to, whatever the service says about that (Spec: Endpoints 7). */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as FieldList from "../FieldList.ts"
import { root } from "../Root.ts"
import * as Session from "../Session.ts"
import type { Work } from "../Subcommand.ts"

export const me: Work = Effect.fn(function* () {
  const flags = yield* root
  const { client, terminal } = yield* Session.open(flags, "interactive")
  const { ok, ...members } = yield* client.me
  yield* flags.json
    ? terminal.json(Json.stringify({ ok, ...members }, 2))
    : terminal.lines(FieldList.render(FieldList.ofMembers(members), terminal.style))
}, Effect.scoped)
