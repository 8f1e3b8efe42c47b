/** `deedkit sync changes MIRROR --since DATE`: shows versions of records that were first seen since then. Sends only the digest of `--notify`. */
import { RetryPolicy } from "@deedkit/core"
import { SyncError } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { root } from "../../command/Root.ts"
import type { Work } from "../../command/Subcommand.ts"
import { Failure, usageError } from "../../failure/Failure.ts"
import * as MirrorCatalogue from "../../failure/MirrorCatalogue.ts"
import { DebugBundle } from "../../session/DebugBundle.ts"
import * as Log from "../../session/Log.ts"
import * as Session from "../../session/Session.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import type { ChangesChoices } from "./Changes.command.ts"
import type { Digest } from "./digest/Digest.ts"
import * as Digests from "./digest/Digest.ts"
import * as DigestFormat from "./digest/DigestFormat.ts"
import * as DigestText from "./digest/DigestText.ts"
import * as Mirror from "../mirror/Mirror.ts"
import { nameOf } from "../mirror/OpenMirror.ts"
import type { Webhook } from "./notify/Webhook.ts"
import * as Since from "./Since.ts"

/** The lines of a text format. */
const linesOf = async (
  digest: Digest,
  format: Exclude<DigestFormat.DigestFormat, "text" | "xlsx">,
): Promise<ReadonlyArray<string>> => {
  switch (format) {
    case "md":
      return (await import("./digest/DigestMarkdown.ts")).lines(digest)
    case "html":
      return (await import("./digest/DigestHtml.ts")).lines(digest)
    case "json":
      return [(await import("./digest/DigestJson.ts")).text(digest, 2)]
  }
}

const print = (digest: Digest, format: Exclude<DigestFormat.DigestFormat, "xlsx">) =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    if (format === "text") return yield* terminal.dressed(DigestText.lines(digest, terminal.style))
    const lines = yield* Effect.promise(() => linesOf(digest, format))
    yield* format === "json" ? terminal.json(lines.join("\n")) : terminal.lines(lines)
  })

const writeTo = (digest: Digest, format: DigestFormat.DigestFormat, target: string, overwrite: boolean) =>
  Effect.gen(function* () {
    const { bytes } = yield* Terminal
    const { writeFile } = yield* Effect.promise(() => import("@deedkit/export/run"))
    yield* writeFile({
      target,
      overwrite,
      stdout: bytes,
      content: (put) =>
        Effect.gen(function* () {
          if (format === "xlsx") {
            const workbook = yield* Effect.promise(() => import("./digest/DigestWorkbook.ts"))
            return yield* workbook.write(digest, put)
          }
          const lines =
            format === "text"
              ? [...DigestText.lines(digest), DigestText.closing(digest)]
              : yield* Effect.promise(() => linesOf(digest, format))
          yield* put(new TextEncoder().encode(`${lines.join("\n")}\n`))
        }),
    })
  })

const webhookOf = ({ notify, notifySecretFile }: ChangesChoices) =>
  Effect.gen(function* () {
    if (notify !== undefined) {
      const { make } = yield* Effect.promise(() => import("./notify/Webhook.ts"))
      return yield* make(notify, notifySecretFile)
    }
    if (notifySecretFile === undefined) return null
    return yield* usageError("--notify-secret-file needs --notify", "Add `--notify URL`, or leave it out.")
  })

const notifyOf = (webhook: Webhook, digest: Digest) =>
  Effect.gen(function* () {
    const flags = yield* root
    const terminal = yield* Terminal
    const bundle = yield* DebugBundle
    const { deliver } = yield* Effect.promise(() => import("./notify/Delivery.ts"))
    const { text } = yield* Effect.promise(() => import("./digest/DigestJson.ts"))
    const log = flags.verbose ? Log.make(terminal, flags.json) : () => {}
    yield* deliver({
      webhook,
      id: Digests.idOf(digest),
      body: text(digest),
      policy: {
        ...RetryPolicy.patient,
        ...(flags.attempts === undefined ? {} : { attempts: flags.attempts }),
      },
      attemptMillis: 1_000 * (flags.timeout ?? 30),
      listen: (event) => {
        log(event)
        bundle?.record(event)
      },
    })
    Session.note(terminal, flags)(`The digest was sent to ${webhook.url.origin}.`)
  })

/** Fails with `MirrorDamaged` if a text of the mirror is not JSON, because it was changed. */
const damaged = (path: string) => (defect: unknown) =>
  defect instanceof SyntaxError
    ? Effect.fail(MirrorCatalogue.failureOf(new SyncError({ reason: { _tag: "MirrorDamaged", path } })))
    : Effect.die(defect)

export const changes: Work<ChangesChoices> = Effect.fn(
  function* (choices) {
    const { failOnChanges, mirror, out, overwrite } = choices
    const flags = yield* root
    const terminal = yield* Terminal
    const note = Session.note(terminal, flags)
    const format = DigestFormat.choose({ ...choices, json: flags.json })
    if (format instanceof Failure) return yield* format
    const webhook = yield* webhookOf(choices)
    const now = yield* Clock.currentTimeMillis
    const since = Since.moment(choices.since, now)
    if (Date.parse(since) > now) {
      return yield* usageError(
        `--since ${choices.since} is in the future`,
        "Choose a moment that has passed.",
      )
    }
    const lists = yield* Mirror.read(mirror, (store) => store.changes(since))
    const digest: Digest = { mirror: nameOf(mirror), since, until: new Date(now).toISOString(), lists }
    const found = Digests.changesOf(digest).length
    if (out !== undefined) yield* writeTo(digest, format, out, overwrite)
    else if (format !== "xlsx") yield* print(digest, format)
    if (format === "text" || out !== undefined) note(DigestText.closing(digest))
    if (webhook !== null && found > 0) yield* notifyOf(webhook, digest)
    if (failOnChanges && found > 0)
      return yield* new Failure({ reason: { _tag: "ChangesFound", changes: found } })
  },
  (work, { mirror }) => Effect.catchDefect(work, damaged(mirror)),
)
