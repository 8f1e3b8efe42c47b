/**
 * The webhook of `--notify`: its address and its signing secret. Checked before anything is read. No message repeats the address, whose path or query
 * can be a secret of the receiver.
 */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Failure } from "../../../failure/Failure.ts"
import { usageError } from "../../../failure/Failure.ts"
import * as KeySource from "../../../session/KeySource.ts"
import { loopback } from "../../../store/BaseUrl.ts"
import { Environment } from "../../../terminal/Environment.ts"
import * as Signature from "./Signature.ts"

export interface Webhook {
  readonly url: URL
  readonly secret: Redacted.Redacted
}

const variable = "DEEDKIT_NOTIFY_SECRET"
const fileFlag = "--notify-secret-file"

const addressOf = (text: string): URL | Failure => {
  if (!URL.canParse(text)) {
    return usageError(
      "The address of --notify cannot be read",
      "Write it as https://hooks.example.com/deedkit.",
    )
  }
  const url = new URL(text)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.test(url.hostname))) {
    return usageError(
      "The address of --notify is not https",
      "A digest holds personal data: use https, or http on this machine.",
    )
  }
  if (url.username !== "" || url.password !== "") {
    return usageError(
      "The address of --notify holds a user or a password, which other programs on this machine can read",
      "Leave them out: the receiver knows the sender by the signature.",
    )
  }
  url.hash = ""
  return url
}

const secretOf = (file: string | undefined): Effect.Effect<Redacted.Redacted, Failure, Environment> =>
  Effect.gen(function* () {
    if (file !== undefined) return yield* KeySource.fromFile(file, fileFlag)
    const secret = (yield* Environment).secret(variable)
    if (secret !== undefined) return secret
    return yield* usageError(
      "Missing secret for --notify",
      `Create one with \`openssl rand -hex 32\`, and set ${variable} or name a file that holds it with ${fileFlag}.`,
    )
  })

/** Makes the webhook from the flags. */
export const make = (
  address: string,
  secretFile: string | undefined,
): Effect.Effect<Webhook, Failure, Environment> =>
  Effect.gen(function* () {
    const url = addressOf(address)
    if (!(url instanceof URL)) return yield* url
    const secret = yield* secretOf(secretFile)
    if (!Signature.isLongEnough(secret)) {
      return yield* usageError(
        `The secret for --notify has fewer than ${Signature.leastCharacters} characters`,
        "Create one with `openssl rand -hex 32`.",
      )
    }
    return { url, secret }
  })
