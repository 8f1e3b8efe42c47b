/**
 * `deedkit me`: who the key belongs to, according to the service (Spec: Endpoints 7). The API key is removed from the response, which can contain
 * anything.
 */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as FieldList from "../records/FieldList.ts"
import * as RecordText from "../records/RecordText.ts"
import { examples, root } from "../command/SharedFlags.ts"
import * as Session from "../session/Session.ts"
import type { Subcommand } from "../command/Subcommand.ts"

export const me: Subcommand<"me"> = Command.make(
  "me",
  {},
  Effect.fn(function* () {
    const flags = yield* root
    const { client, terminal } = yield* Session.open(flags, "interactive")
    const { ok, ...said } = yield* client.me()
    if (flags.json) return yield* terminal.json(RecordText.json({ ok, ...said }, client.redact, 2))
    const members = Json.mapTexts(said, client.redact) as typeof said
    yield* terminal.dressed(FieldList.render(FieldList.ofMembers(members), terminal.style))
  }, Effect.scoped),
).pipe(
  examples(`
    deedkit me
    # With the key from a password store
    pass show deedkit | deedkit me --base-url https://api.example.com --api-key-stdin
  `),
)
