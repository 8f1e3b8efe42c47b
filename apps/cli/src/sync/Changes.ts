/** `deedkit sync changes MIRROR --since DATE`: shows versions of records that were first seen since then, for people, documents and programs. Sends nothing. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import {
  examples,
  lang,
  languageOf,
  mirrorArgument,
  optional,
  text,
  texts,
  toggle,
} from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as Session from "../session/Session.ts"
import { Terminal } from "../terminal/Terminal.ts"
import type { Digest } from "./Digest.ts"
import * as Digests from "./Digest.ts"
import * as DigestHtml from "./DigestHtml.ts"
import * as Mirror from "./Mirror.ts"
import * as Since from "./Since.ts"

const formats = ["text", "html", "json"] as const

type Format = (typeof formats)[number]

/** A value of --since. */
const last = "last"

const own = {
  mirror: mirrorArgument,
  since: Flag.String("since").pipe(
    Flag.filter(
      (value) => value === last || Since.isSince(value),
      () => `${last}, ${Since.shape}`,
    ),
    Flag.withMetavar("DATE"),
    Flag.withDescription(
      "Show what was first seen since then: a date, a UTC time, a span such as 36h or 7d, or `last`: what no `--since last` has shown before",
    ),
  ),
  account: texts("account", "NAME", "Show the changes of this account only. Repeat for several"),
  summary: toggle("summary", "Show the number of changes of each account instead of each change"),
  format: Flag.Literals("format", formats).pipe(
    Flag.withDescription(
      "Text, a page of HTML, or JSON (as --json); default: the ending of --out, else text",
    ),
    optional,
  ),
  lang,
  out: text("out", "FILE", "File to write, or - for standard output"),
  overwrite: toggle("overwrite", "Replace an existing file"),
  failOnChanges: toggle("fail-on-changes", "Exit with code 12 when there are changes"),
} as const

type Choices = Command.Command.Config.Infer<typeof own>

const endings: Readonly<Record<string, Format>> = { txt: "text", html: "html", htm: "html", json: "json" }

const ofFile = (out: string): Format | null => {
  const ending = /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase() ?? ""
  return Object.hasOwn(endings, ending) ? endings[ending]! : null
}

/** The requested format and output. `out` is a path, or `-` for standard output. */
export interface Asked {
  readonly format: Format | undefined
  readonly json: boolean
  readonly out: string | undefined
}

/** The format by --format, by --json or by the ending of --out, or the error for contradictory flags. */
export const chooseFormat = ({ format, json, out }: Asked): Format | Failure => {
  const isFile = out !== undefined && out !== "" && out !== "-"
  const meant = format ?? (isFile ? ofFile(out) : null)
  if (json && meant !== null && meant !== "json") {
    const other = format === undefined ? `--out ${out}` : `--format ${format}`
    return usageError(`--json and ${other} cannot be combined`, "Choose one of them.")
  }
  if (meant === null && isFile && !json) {
    return usageError(
      `Unknown format for --out ${out}`,
      "Use one of the endings .txt .html .json, or add --format.",
    )
  }
  return meant ?? (json ? "json" : "text")
}

/** Prints a digest, or writes it to a file. */
const show = Effect.fnUntraced(function* (
  digest: Digest,
  format: Format,
  { lang: chosen, out, overwrite, summary }: Choices,
) {
  const language = yield* languageOf(chosen)
  const terminal = yield* Terminal
  const textLines = summary ? Digests.summaryLines : Digests.textLines
  if (out === undefined) {
    if (format === "json") return yield* terminal.json(Digests.json(digest, summary))
    if (format === "html") return yield* terminal.lines(DigestHtml.lines(digest, language, summary))
    return yield* terminal.dressed(textLines(digest, terminal.style))
  }
  const linesOf: { readonly [Name in Format]: () => ReadonlyArray<string> } = {
    text: () => [...textLines(digest), Digests.closing(digest)],
    html: () => DigestHtml.lines(digest, language, summary),
    json: () => [Digests.json(digest, summary)],
  }
  const { writeFile } = yield* Effect.promise(() => import("@deedkit/export/run"))
  yield* writeFile({
    target: out,
    overwrite,
    stdout: terminal.bytes,
    content: (put) =>
      Effect.suspend(() => put(new TextEncoder().encode(`${linesOf[format]().join("\n")}\n`))),
  })
})

const work: Work<Choices> = Effect.fn(function* (choices) {
  const { account, failOnChanges, mirror, out } = choices
  const { flags, note } = yield* Session.output
  const format = chooseFormat({ ...choices, json: flags.json })
  if (format instanceof Failure) return yield* format
  const now = yield* Clock.currentTimeMillis
  const moment = choices.since === last ? null : Since.moment(choices.since, now)
  if (moment !== null && Date.parse(moment) > now) {
    return yield* usageError(`--since ${choices.since} is in the future`, "Choose a moment that has passed.")
  }
  const until = new Date(now).toISOString()
  const found = yield* Effect.gen(function* () {
    const found = yield* Mirror.read(mirror, (store) =>
      Effect.all({
        lists: store.changes(moment),
        since: moment === null ? store.toldAt : Effect.succeed(moment),
        accounts: account.length === 0 ? Effect.succeed([]) : store.status,
      }),
    )
    const unknown = account.find((name) => found.accounts.every((each) => each.account !== name))
    if (unknown !== undefined) {
      return yield* usageError(
        `The mirror has no account ${unknown}`,
        "`deedkit sync status MIRROR` lists the accounts.",
      )
    }
    const lists = found.lists.filter((list) => account.length === 0 || account.includes(list.account))
    const digest: Digest = { mirror: Mirror.nameOf(mirror), since: found.since, until, lists }
    yield* show(digest, format, choices)
    // Only now, so that a digest that could not be written is shown again.
    if (moment === null) yield* Mirror.change(mirror, (store) => store.tell(lists, until))
    if (format === "text" || out !== undefined) note(Digests.closing(digest))
    return Digests.changesOf(digest).length
  }).pipe(Effect.catchDefect(Mirror.damaged(mirror)))
  if (failOnChanges && found > 0)
    return yield* new Failure({ reason: { _tag: "ChangesFound", changes: found } })
})

export const changes: Subcommand<"changes"> = Command.make("changes", own, work).pipe(
  Command.withDescription("Show which records of a mirror were added, changed or removed"),
  examples(`
    deedkit sync changes mirror.sqlite --since 1d  # Since yesterday
    # After each sync: what was not shown yet, and nothing twice
    deedkit sync changes mirror.sqlite --since last
    deedkit sync changes mirror.sqlite --since 7d --summary  # A line for each account
    # As a page to send on; .json and .txt work the same way
    deedkit sync changes mirror.sqlite --since 2026-11-01 --out november.html
    # In a scheduled job: exit code 12 when there are changes
    deedkit sync changes mirror.sqlite --since 36h --fail-on-changes --quiet
    # To a webhook of your own
    deedkit sync changes mirror.sqlite --since 1d --json | curl --fail --retry 5 -H 'content-type: application/json' --data-binary @- https://hooks.example.com/deedkit
  `),
)
