/**
 * The places that a key can come from, and how it is read there: standard input, a variable, a file of its owner, a store of this program.
 * A key leaves wrapped; nothing here opens it.
 */
import { readFile, stat } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as KeyStore from "../store/KeyStore.ts"
import type { StoreError } from "../failure/StoreError.ts"
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

export type KeySource =
  | { readonly _tag: "Stdin" }
  | { readonly _tag: "Variable"; readonly key: Redacted.Redacted }
  /** `named` says where the path was given. */
  | { readonly _tag: "File"; readonly path: string; readonly named: string }
  | { readonly _tag: "Kept"; readonly kind: KeyStore.Kind; readonly owner: KeyStore.Owner }

const mostKeyBytes = 16_384

/** A file or a pipe ends its only line with a line break, which is not part of the key. */
const withoutLineEnd = (text: string): Redacted.Redacted => KeyStore.wrap(text.replace(/\r?\n$/, ""))

const notOnStdin = usageError(
  "No API key could be read from standard input",
  "Pass the key and nothing else.",
)

/** Reads the key from a pipe. `flag` is what asked for that. */
export const fromStdin = (flag: string): Effect.Effect<Redacted.Redacted, UsageError, Stdio.Stdio> =>
  Effect.gen(function* () {
    const { stdin, stdinIsTerminal } = yield* Stdio.Stdio
    if (yield* stdinIsTerminal) {
      return yield* usageError(
        `${flag} reads a pipe, and standard input is the keyboard`,
        `Pipe the key in, such as: pass show deedkit | deedkit ${flag === "--with-key" ? "auth login" : "me"} --base-url URL ${flag}`,
      )
    }
    let text = ""
    yield* Stream.runForEach(Stream.decodeText(stdin), (part) => {
      text += part
      return text.length > mostKeyBytes ? Effect.fail(notOnStdin) : Effect.void
    }).pipe(Effect.mapError(() => notOnStdin))
    return withoutLineEnd(text)
  })

/** Reads the key from a file that only its owner may read. */
export const fromFile = (path: string, named: string): Effect.Effect<Redacted.Redacted, UsageError> => {
  const unreadable = (cause: unknown): UsageError =>
    usageError(
      `The key file ${path} could not be read (${(cause as NodeJS.ErrnoException).code ?? "no code"})`,
      `Check ${named}.`,
    )
  return Effect.tryPromise({ try: () => stat(path), catch: unreadable }).pipe(
    Effect.filterOrFail(
      (file) => file.isFile() && file.size <= mostKeyBytes,
      () =>
        usageError(
          `${named} names ${path}, which is no file with a key`,
          "Name a file that holds the key and nothing else.",
        ),
    ),
    Effect.filterOrFail(
      (file) => process.platform === "win32" || (file.mode & 0o077) === 0,
      (file) =>
        usageError(
          `Others may read the key file ${path} (mode ${(file.mode & 0o777).toString(8)})`,
          `Run chmod 600 on it; if others have seen it, make a new key.`,
        ),
    ),
    Effect.andThen(Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: unreadable })),
    Effect.map(withoutLineEnd),
  )
}

const lost = ({ kind, owner }: Extract<KeySource, { readonly _tag: "Kept" }>): UsageError =>
  usageError(
    `The API key of profile ${owner.profile} is not in ${kind === "keychain" ? "the keychain" : owner.plaintextPath} any more`,
    "Log in again with deedkit auth login.",
  )

/** Reads the key. */
export const read = (
  source: KeySource,
): Effect.Effect<Redacted.Redacted, StoreError | UsageError, Stdio.Stdio> => {
  switch (source._tag) {
    case "Stdin":
      return fromStdin("--api-key-stdin")
    case "Variable":
      return Effect.succeed(source.key)
    case "File":
      return fromFile(source.path, source.named)
    case "Kept":
      return Effect.filterOrFail(
        KeyStore.read(source.kind, source.owner),
        (key) => key !== null,
        () => lost(source),
      )
  }
}

/** Where a key lives, in words: `in the keychain`, `in the file /home/ada/key`. */
export const place = (source: KeySource): string => {
  switch (source._tag) {
    case "Stdin":
      return "from standard input"
    case "Variable":
      return "in the environment"
    case "File":
      return `in the file ${source.path}`
    case "Kept":
      return source.kind === "keychain"
        ? "in the keychain"
        : `in plaintext in ${source.owner.plaintextPath}, which is insecure`
  }
}
