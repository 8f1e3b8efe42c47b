/** Keys of signatures, from their files. The private one is nobody else's business, and is refused where others may read it. */
import type { ExportError } from "@deedkit/export"
import type { Signature } from "@deedkit/export/run"
import * as Effect from "effect/Effect"
import * as PrivateFile from "./PrivateFile.ts"
import type { StoreError } from "../failure/StoreError.ts"
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

const load = (path: string, flag: string): Effect.Effect<PrivateFile.Contents, StoreError | UsageError> =>
  Effect.filterOrFail(
    PrivateFile.read(path),
    (contents) => contents !== null,
    () => usageError(`There is no key file ${path}`, `Check ${flag}.`),
  )

const signature = Effect.promise(async () => (await import("@deedkit/export/run")).Signature)

/** The signer of a private key. */
export const signer = (
  path: string,
): Effect.Effect<Signature.Signer, ExportError.ExportError | StoreError | UsageError> =>
  Effect.gen(function* () {
    const { othersMayRead, text } = yield* load(path, "--sign")
    if (othersMayRead) {
      return yield* usageError(
        `Others may read the key file ${path}`,
        "Run chmod 600 on it; if others have seen it, make a new key.",
      )
    }
    return yield* Effect.fromResult((yield* signature).signer(text, path))
  })

/** The verifier of a public key. */
export const verifier = (
  path: string,
): Effect.Effect<Signature.Verifier, ExportError.ExportError | StoreError | UsageError> =>
  Effect.gen(function* () {
    const { text } = yield* load(path, "--public-key")
    return yield* Effect.fromResult((yield* signature).verifier(text, path))
  })
