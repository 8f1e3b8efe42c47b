/**
 * Where an API key can come from, and how it is read: standard input, a variable, a user's file, or a store of this program. Keys are wrapped and
 * never unwrapped here.
 */
import { readFile, realpath, stat } from "node:fs/promises"
import * as OwnFile from "@deedkit/core/own-file"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as KeyStore from "../store/KeyStore.ts"
import * as TextFile from "../store/TextFile.ts"
import * as HomePath from "../terminal/HomePath.ts"
import type { Failure } from "../failure/Failure.ts"
import { codeOf, usageError } from "../failure/Failure.ts"

export type KeySource =
  | { readonly _tag: "Stdin" }
  | { readonly _tag: "Variable"; readonly key: Redacted.Redacted }
  /** `named` is where the path was given. */
  | { readonly _tag: "File"; readonly path: string; readonly named: string }
  | { readonly _tag: "Saved"; readonly kind: KeyStore.Kind; readonly owner: KeyStore.Owner }

const mostKeyBytes = 16_384

/** The only line of a file or a pipe ends with a line break, which is not part of the key, and may begin with a byte order mark. */
const withoutLineEnd = (text: string): Redacted.Redacted =>
  KeyStore.wrap(text.replace(/^\uFEFF/, "").replace(/\r?\n$/, ""))

const notOnStdin = usageError(
  "No API key could be read from standard input",
  "Pass the key and nothing else.",
)

/** Reads the key from a pipe. `flag` is the flag that requested it. */
export const fromStdin = Effect.fnUntraced(function* (
  flag: string,
): Effect.fn.Return<Redacted.Redacted, Failure, Stdio.Stdio> {
  const { stdin, stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) {
    return yield* usageError(
      `${flag} needs a pipe, and standard input is a terminal`,
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

/** Whether the file is on a mount that this user cannot write, as secrets of containers are: their mode cannot be changed here. Linux only. */
const isOnReadOnlyMount = async (path: string): Promise<boolean> => {
  const [real, mounts] = await Promise.all([realpath(path), readFile("/proc/self/mountinfo", "utf8")])
  const [, options] = mounts
    .split("\n")
    .map((line) => line.split(" "))
    .flatMap(([, , , , point = "", options = ""]) =>
      real === point || real.startsWith(point === "/" ? point : `${point}/`)
        ? [[point, options] as const]
        : [],
    )
    .reduce<readonly [string, string]>(
      (longest, mount) => (mount[0].length >= longest[0].length ? mount : longest),
      ["", ""],
    )
  return options.split(",").includes("ro")
}

/**
 * Reads the key from a file that only its owner can read, or that is on a read-only mount. A pipe will do too, such as a shell's substitution of a
 * process, unless the file is to be read again.
 */
export const fromFile = Effect.fnUntraced(function* (
  given: string,
  named: string,
  { orPipe = true }: { readonly orPipe?: boolean } = {},
): Effect.fn.Return<Redacted.Redacted, Failure> {
  const path = HomePath.expand(given)
  const unreadable = (cause: unknown): Failure =>
    usageError(`The key file ${path} could not be read (${codeOf(cause)})`, `Check ${named}.`)
  const file = yield* Effect.tryPromise({ try: () => stat(path), catch: unreadable })
  if (file.isFIFO() && !orPipe) {
    return yield* usageError(
      `${named} names ${path}, a pipe, from which the key cannot be read again`,
      "Pipe the key in with --with-key, or name a file.",
    )
  }
  if (!(file.isFile() || file.isFIFO()) || file.size > mostKeyBytes) {
    return yield* usageError(
      `${named} names ${path}, which is not a key file`,
      "Name a file that holds the key and nothing else.",
    )
  }
  const isPrivate = process.platform === "win32" || (file.mode & 0o077) === 0
  if (!isPrivate && !(yield* Effect.promise(() => isOnReadOnlyMount(path).catch(() => false)))) {
    return yield* usageError(
      `Other users can read the key file ${path} (mode ${(file.mode & 0o777).toString(8)})`,
      "Run chmod 600 on it; if others have read it, create a new key.",
    )
  }
  const bytes = yield* Effect.tryPromise({
    try: () => OwnFile.read(path, { most: mostKeyBytes, orPipe }),
    catch: unreadable,
  })
  const text = yield* Effect.try({ try: () => TextFile.decode(bytes), catch: unreadable })
  return withoutLineEnd(text)
})

const lost = ({ kind, owner }: Extract<KeySource, { readonly _tag: "Saved" }>): Failure =>
  usageError(
    `The API key of profile ${owner.profile} is not in ${kind === "keychain" ? "the keychain" : owner.plaintextPath} any more`,
    "Run `deedkit auth login`.",
  )

export const read = (source: KeySource): Effect.Effect<Redacted.Redacted, Failure, Stdio.Stdio> => {
  switch (source._tag) {
    case "Stdin":
      return fromStdin("--api-key-stdin")
    case "Variable":
      return Effect.succeed(source.key)
    case "File":
      return fromFile(source.path, source.named)
    case "Saved":
      return Effect.filterOrFail(
        KeyStore.read(source.kind, source.owner),
        (key) => key !== null,
        () => lost(source),
      )
  }
}

/** Where a key is stored, for messages: `in the keychain`, `in the file /home/ada/key`. */
export const place = (source: KeySource): string => {
  switch (source._tag) {
    case "Stdin":
      return "from standard input"
    case "Variable":
      return "in the environment"
    case "File":
      return `in the file ${source.path}`
    case "Saved":
      return source.kind === "keychain"
        ? "in the keychain"
        : `in plaintext in ${source.owner.plaintextPath}, which is insecure`
  }
}
