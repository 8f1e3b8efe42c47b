/**
 * `--keep 30d`: after an export that is complete, files of earlier days are removed. Their names are those that this export would have had on such a day,
 * with the files beside them, and nothing else is touched.
 */
import { lstat, readdir, rmdir, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import { optional } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError, whyNotWritten } from "../failure/Failure.ts"
import { firstOf } from "../terminal/Figures.ts"
import { fromHere } from "../terminal/HomePath.ts"
import { clean } from "../terminal/TerminalText.ts"
import * as OutName from "./OutName.ts"

const span = /^([1-9]\d{0,4})([dw])$/

/** Days, undefined unless given. */
export const keep = Flag.String("keep").pipe(
  Flag.filter(
    (text) => span.test(text),
    () => "days or weeks such as 30d or 8w",
  ),
  Flag.map((text) => Number.parseInt(text, 10) * (text.endsWith("w") ? 7 : 1)),
  Flag.withMetavar("SPAN"),
  Flag.withDescription(
    "Once the export is complete, remove its files of days before that, such as 30d: those whose names differ in {date} only",
  ),
  optional,
)

/** Fails where no name tells one day from another. */
export const check = (days: number | undefined, outs: ReadonlyArray<string>): Effect.Effect<void, Failure> =>
  days === undefined || outs.some((out) => out.includes("{date}"))
    ? Effect.void
    : usageError(
        "--keep removes files of earlier days, and no name has {date}",
        "Add it to the name, such as --out 'contracts-{date}.xlsx'.",
      )

const day = /\d{4}-\d{2}-\d{2}/g

/** Whether a text names a day of the calendar: no export has made a file of another one. */
const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00Z`)
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text)
}

/** The days that names in the folder hold where the path has its first `{date}`. */
const daysBeside = async (path: string): Promise<ReadonlyArray<string>> => {
  const folder = dirname(`${path.slice(0, path.indexOf("{date}"))}x`)
  const names = await readdir(folder).catch((): ReadonlyArray<string> => [])
  return [...new Set(names.flatMap((name) => name.match(day) ?? []).filter(isDay))].toSorted()
}

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Removes the files of days before the last `days`. `paths` hold `{date}`; `besides` names all files of one. Gives what to say; null for nothing. */
export const removeOlder = (
  paths: ReadonlyArray<string>,
  besides: (path: string) => ReadonlyArray<string>,
  days: number,
  facts: OutName.Facts,
): Effect.Effect<string | null> =>
  Effect.promise(async () => {
    // Days of the calendar: a day on which clocks are changed has 23 or 25 hours.
    const first = new Date(Date.parse(OutName.dateOf(facts)) - days * 86_400_000).toISOString().slice(0, 10)
    const removed: Array<string> = []
    const problems: Array<string> = []
    for (const path of paths.filter((each) => each.includes("{date}"))) {
      for (const date of (await daysBeside(path)).filter((each) => each < first)) {
        const dated = (text: string): string => text.replaceAll("{date}", date)
        for (const file of besides(dated(path))) {
          if (!(await isFile(file))) continue
          await unlink(file).then(
            () => (file === dated(path) ? removed.push(clean(fromHere(file))) : 0),
            (cause) => problems.push(`${clean(fromHere(file))} (${whyNotWritten(cause)})`),
          )
        }
        // A folder of that day, where nothing else is in it.
        for (let folder = dirname(path); folder.includes("{date}"); folder = join(folder, "..")) {
          await rmdir(dated(folder)).catch(() => {})
        }
      }
    }
    const sentences = [
      ...(removed.length === 0 ? [] : [`Removed, older than ${first}: ${firstOf(removed, 5)}.`]),
      ...(problems.length === 0 ? [] : [`Could not be removed: ${firstOf(problems, 5)}.`]),
    ]
    return sentences.length === 0 ? null : sentences.join(" ")
  })
