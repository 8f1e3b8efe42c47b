/** Reads signing keys from their files. A private key that other users can read is refused. */
import type { ExportError } from "@deedkit/export"
import type { Signature } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import * as PrivateFile from "./PrivateFile.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

const load = (path: string, flag: string): Effect.Effect<PrivateFile.Contents, Failure> =>
  Effect.filterOrFail(
    PrivateFile.read(path),
    (contents) => contents !== null,
    () => usageError(`There is no key file ${path}`, `Check ${flag}.`),
  )

const signature = Effect.promise(async () => (await import("@deedkit/export/run")).Signature)

/** The signer of a private key. */
export const signer = (path: string): Effect.Effect<Signature.Signer, ExportError.ExportError | Failure> =>
  Effect.gen(function* () {
    const { othersMayRead, text } = yield* load(path, "--sign")
    if (othersMayRead) {
      return yield* usageError(
        `Other users can read the key file ${path}`,
        "Run chmod 600 on it; if others have read it, create a new key.",
      )
    }
    return yield* Effect.fromResult((yield* signature).signer(text, path))
  })

/** The verifier of a public key. */
export const verifier = (
  path: string,
): Effect.Effect<Signature.Verifier, ExportError.ExportError | Failure> =>
  Effect.gen(function* () {
    const { text } = yield* load(path, "--public-key")
    return yield* Effect.fromResult((yield* signature).verifier(text, path))
  })
