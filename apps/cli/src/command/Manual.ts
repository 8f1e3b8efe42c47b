/** The reference of all commands, as a man page or in Markdown, from the same definitions as the help. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"
import type * as GlobalFlag from "effect/cli/GlobalFlag"
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import { helpOf } from "./Completions.ts"
import { flagName } from "./Help.ts"
import { version } from "./Version.ts"

export type Form = "man" | "markdown"

/** How a form writes the parts of a reference. Texts are plain. */
interface Writer {
  readonly start: (title: string) => string
  readonly heading: (text: string) => string
  readonly command: (text: string) => string
  readonly paragraph: (text: string) => string
  /** Lines that are shown as they are. */
  readonly verbatim: (lines: string) => string
  readonly entry: (name: string, text: string) => string
}

const roff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")

/** A word of a man page's macro. */
const quoted = (text: string): string => `"${roff(text).replaceAll('"', '""')}"`

const writers: { readonly [F in Form]: Writer } = {
  man: {
    start: (title) =>
      `.TH DEEDKIT 1 "" ${quoted(`deedkit ${version}`)}\n.nh\n.SH NAME\n${roff(`deedkit - ${title}`)}`,
    heading: (text) => `.SH ${quoted(text.toUpperCase())}`,
    command: (text) => `.SS ${quoted(text)}`,
    paragraph: (text) => `.PP\n${roff(text)}`,
    verbatim: (lines) => `.PP\n.nf\n${roff(lines)}\n.fi`,
    entry: (name, text) => `.TP\n.B ${quoted(name)}\n${roff(text)}`,
  },
  markdown: {
    start: (title) => `# deedkit\n\n${title}\n`,
    heading: (text) => `\n## ${text}\n`,
    command: (text) => `\n### ${text}\n`,
    paragraph: (text) => `${text.replaceAll(/[<>*_\\]/g, "\\$&")}\n`,
    verbatim: (lines) => `\n\`\`\`sh\n${lines}\n\`\`\`\n`,
    entry: (name, text) => `- \`${name}\`: ${text.replaceAll(/[<>*_\\]/g, "\\$&")}`,
  },
}

const flagsOf = (flags: ReadonlyArray<FlagDoc>, { entry }: Writer): ReadonlyArray<string> =>
  flags.map((flag) =>
    entry(
      flagName(flag),
      Option.getOrElse(flag.description, () => ""),
    ),
  )

const section = ({ args = [], description, examples = [], flags, usage }: HelpDoc, writer: Writer) => [
  ...description.split("\n\n").map((text, at) => (at === 0 ? writer.paragraph(text) : writer.verbatim(text))),
  writer.verbatim(usage),
  ...args.map((arg) =>
    writer.entry(
      arg.variadic ? `${arg.name}...` : arg.name,
      Option.getOrElse(arg.description, () => ""),
    ),
  ),
  ...flagsOf(flags, writer),
  ...(examples.length === 0
    ? []
    : [
        writer.verbatim(
          examples
            .map(
              (example) =>
                `${example.description === undefined ? "" : `# ${example.description}\n`}${example.command}`,
            )
            .join("\n"),
        ),
      ]),
]

/** The reference, which ends with the flags of every command. */
export const manual = Effect.fnUntraced(function* <Input, Context, E, R>(
  program: Command.Command<"deedkit", Input, Context, E, R>,
  form: Form,
  builtIns: ReadonlyArray<GlobalFlag.BuiltIn>,
) {
  const writer = writers[form]
  const parts: Array<string> = []
  const shared: Array<FlagDoc> = []
  const paths: Array<ReadonlyArray<string>> = [[]]
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const doc = yield* helpOf(program, path, builtIns)
    if (doc === null) continue
    const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    const above = path
    paths.unshift(...names.map((name) => above.concat(name)))
    if (path.length === 0) {
      const [title = "", ...others] = doc.description.split("\n\n")
      parts.push(
        writer.start(title),
        ...others.map((text) => writer.paragraph(text.replaceAll(/\s+/g, " ").trim())),
        writer.heading("Commands"),
      )
      shared.push(...doc.flags, ...(doc.globalFlags ?? []))
    } else {
      parts.push(writer.command(["deedkit", ...path].join(" ")), ...section(doc, writer))
    }
  }
  parts.push(writer.heading("Flags of every command"), ...flagsOf(shared, writer))
  return `${parts.join("\n").replaceAll(/\n{3,}/g, "\n\n")}\n`
})
