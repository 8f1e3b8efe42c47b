/**
 * Fills the placeholders of `--out`, such as `exports/{profile}/{table}-{date}.csv`. Checked before anything is sent. `{table}` is kept: only the run
 * knows which file holds which table.
 */
import { access } from "node:fs/promises"
import { dirname } from "node:path"
import * as OwnFile from "@deedkit/core/own-file"
import { ExportError, TimeZone } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

export interface Facts {
  /** Null if the key does not come from a profile. */
  readonly profile: string | null
  readonly nowMillis: number
  /** A known time zone; undefined for that of this machine. */
  readonly timeZone: string | undefined
  /** The value of a part of the records, for `{value}`; undefined where they are not split. */
  readonly value?: string | undefined
}

const placeholders: ReadonlySet<string> = new Set(["{profile}", "{table}", "{date}"])

/** The day in the zone, `2026-03-01`. */
export const dateOf = ({ nowMillis, timeZone }: Facts): string =>
  Result.getOrThrow(TimeZone.clocks(zoneOf(timeZone)))(new Date(nowMillis).toISOString()).slice(0, 10)

/** The name of a zone; undefined is that of this machine. Node takes a TZ that it does not know for UTC, and names it so or not at all. */
export const zoneOf = (given?: string): string => {
  const zone: string | undefined = new Intl.DateTimeFormat("en-US", { timeZone: given }).resolvedOptions()
    .timeZone
  return zone === undefined || zone === "Etc/Unknown" || zone === "Etc/UTC" ? "UTC" : zone
}

/** Says which day `{date}` is, and in which zone; null if no name has it. */
export const dateSentence = (outs: ReadonlyArray<string>, facts: Facts): string | null => {
  if (!outs.some((out) => out.includes("{date}"))) return null
  return `{date} is ${dateOf(facts)} in ${zoneOf(facts.timeZone)}.`
}

/** The path of a name; `date` fills `{date}`. Fails for an unknown placeholder, and for `{profile}` if no profile is used. */
export const fill = (out: string, facts: Facts, date = dateOf(facts)): Effect.Effect<string, Failure> => {
  if (/^~[^/]*\//.test(out)) {
    return usageError(
      `--out ${out} begins with the home folder of ${out.startsWith("~/") ? "a user without one" : "another user"}`,
      "Write that folder in full.",
    )
  }
  const [, variable] = /^(\$\w+|%\w+%)[/\\]/.exec(out) ?? []
  if (variable !== undefined) {
    return usageError(
      `--out ${out} begins with ${variable}, which only a shell replaces`,
      "Write the folder in full; `~/` is the home folder everywhere.",
    )
  }
  const [foreign] = /%[YFmd]|\$\(\w+[^)]*\)|\$\{\w+\}/.exec(out) ?? []
  if (foreign !== undefined) {
    return usageError(
      `--out ${out} has ${foreign}, which is no placeholder here`,
      "Write {date} for the day, such as `--out 'contracts-{date}.csv'`.",
    )
  }
  const { profile, value } = facts
  const unknown = out
    .match(/\{\w*\}/g)
    ?.find((each) => !placeholders.has(each) && (each !== "{value}" || value === undefined))
  if (unknown !== undefined) {
    const known = [...placeholders, ...(value === undefined ? [] : ["{value}"])]
    return usageError(
      `There is no placeholder ${unknown} for --out`,
      `Use ${known.slice(0, -1).join(", ")} or ${known.at(-1)!}.`,
    )
  }
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(out)) {
    return usageError(
      `--out ${out} is an address, and an export writes to files of this machine`,
      "Export to a file, such as `--out contracts.csv`, and copy it there.",
    )
  }
  if (profile === null && out.includes("{profile}")) {
    return usageError(
      "--out names {profile}, and the key is not that of a profile",
      "Name a profile with --profile, or leave {profile} out.",
    )
  }
  return Effect.succeed(
    out
      .replaceAll("{profile}", profile ?? "")
      .replaceAll("{date}", date)
      .replaceAll("{value}", () => value ?? ""),
  )
}

/** Fails if one of the files is there already. */
export const checkFree = Effect.fnUntraced(function* (
  paths: ReadonlyArray<string>,
): Effect.fn.Return<void, ExportError.ExportError> {
  for (const path of paths) {
    const isThere = yield* Effect.promise(() =>
      access(path).then(
        () => true,
        () => false,
      ),
    )
    if (isThere) return yield* new ExportError.ExportError({ reason: { _tag: "TargetExists", path } })
  }
})

/** Creates a folder and its missing parents. */
export const makeFolder = (folder: string): Effect.Effect<void, ExportError.ExportError> =>
  Effect.tryPromise({
    try: () => OwnFile.makeFolder(folder),
    catch: (cause) =>
      new ExportError.ExportError({
        reason: {
          _tag: "FileFailed",
          path: folder,
          step: "create",
          code: (cause as NodeJS.ErrnoException).code ?? null,
        },
      }),
  })

export const makeFolders = (paths: ReadonlyArray<string>): Effect.Effect<void, ExportError.ExportError> =>
  Effect.forEach(new Set(paths.map((path) => dirname(path))), makeFolder, { discard: true })

/** The arguments of a command with names replaced by paths, so that it refers to the same files on another day. */
export const inArguments = (
  args: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  paths: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  args.map((arg) => {
    const at = names.findIndex((name) => arg === name || arg === `--out=${name}`)
    return at < 0 ? arg : arg.replace(names[at]!, () => paths[at]!)
  })
