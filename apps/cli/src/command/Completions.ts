/**
 * Completions in shells. The script of a shell only asks this program, with `--complete=WORD BEFORE...`: the beginning of the word at the cursor, and the
 * words before it. The first line of the answer says what follows: `words`; `open` for words that no space follows; or `files`, if the shell completes
 * names of files. Each further line is a word, a tab and its description.
 */
import { Contract } from "@deedkit/core"
import { Table } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { CommandDescriptor } from "effect/cli/Completions"
import * as Descriptors from "effect/cli/Completions"
import type * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { contracts, keys } from "../records/RecordKind.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import { Terminal, write } from "../terminal/Terminal.ts"
import * as Translate from "./Translate.ts"
import { clause } from "./Help.ts"

const bash = `_deedkit() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() word kind='' rest at
  # Bash splits words at "=" and ":" too: they are joined where no space is between them.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if ((at == 0)) || [[ $line == [[:space:]]* ]]; then words+=(""); fi
    line=\${line#"\${line%%[![:space:]]*}"}
    ((at < COMP_CWORD)) || word=$line
    words[\${#words[@]} - 1]+=$word
    line=\${line#"$word"}
  done
  at=$((\${#words[@]} - 1))
  # Only what follows the last "=" or ":" is replaced.
  local cut=\${words[at]%"$2"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word rest; do
    if [[ -z $kind ]]; then kind=$word; else COMPREPLY+=("\${word#"$cut"}"); fi
  done < <(deedkit --complete="\${words[at]}" "\${words[@]:1:at-1}" 2>/dev/null)
  [[ $kind == files ]] || compopt +o default 2>/dev/null
  [[ $kind != open ]] || compopt -o nospace 2>/dev/null
}
complete -o default -F _deedkit deedkit`

const zsh = `#compdef deedkit
_deedkit() {
  local -a answer values
  answer=("\${(@f)$(deedkit --complete="$PREFIX" "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  values=("\${(@)answer[2,-1]//:/\\\\:}")
  values=("\${(@)values/$'\\t'/:}")
  case $answer[1] in
    files) compset -P '--*='; _files ;;
    open) _describe deedkit values -S '' ;;
    words) _describe deedkit values ;;
  esac
}
if [[ $funcstack[1] == _deedkit ]]; then _deedkit "$@"; else compdef _deedkit deedkit; fi`

const fish = `function __deedkit_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l answer (deedkit --complete="$current" $words 2>/dev/null)
    if test "$answer[1]" = files
        set -l flag (string match -r '^--[^=]*=' -- $current)
        for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $current))
            echo "$flag$path"
        end
    else
        set -e answer[1]
        printf '%s\\n' $answer
    end
end
complete -c deedkit -f -a '(__deedkit_complete)'`

const powershell = `Register-ArgumentCompleter -Native -CommandName deedkit -ScriptBlock {
  param($current, $line, $cursor)
  $before = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $kind, $words = @(deedkit "--complete=$current" @before 2>$null)
  # Without an answer PowerShell completes names of files.
  if ($kind -eq 'files') { return }
  $words | Where-Object { $_ } | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    $text = if ($word -match '[,;<>|&() ]') { "'$word'" } else { $word }
    $tip = if ($description) { $description } else { $word }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $tip)
  }
}`

const scripts = { bash, zsh, fish, powershell } as const

export type Shell = keyof typeof scripts

/** The script of a shell. */
export const scriptOf = (shell: Shell): string => `${scripts[shell]}\n`

export interface Question {
  /** The words before the cursor, without the program's name. */
  readonly before: ReadonlyArray<string>
  /** The beginning of the word at the cursor. */
  readonly current: string
}

/** A word as people type it: with quotes, the last of which can be missing. */
const unquoted = (word: string): string =>
  word.replace(/^(['"])(.*?)\1?$/s, "$2").replaceAll(/\\([^\w])/g, "$1")

/** What a script asks. */
export const questionOf = ([first = "", ...before]: ReadonlyArray<string>): Question => ({
  before: Translate.translate(before.map(unquoted)).args,
  current: unquoted(first.replace(/^--complete=/, "")),
})

interface Word {
  readonly word: string
  readonly description?: string | undefined
}

interface Answer {
  readonly kind: "words" | "open" | "files"
  readonly words: ReadonlyArray<Word>
}

const files: Answer = { kind: "files", words: [] }
const words = (each: Iterable<string>, kind: Answer["kind"] = "words"): Answer => ({
  kind,
  words: Array.from(each, (word) => ({ word })),
})

/** What can follow the last comma of a list. */
const items = (typed: string, names: ReadonlyArray<string>): Answer => {
  const head = typed.slice(0, typed.lastIndexOf(",") + 1)
  const chosen = new Set(head.split(","))
  return words(names.filter((name) => !chosen.has(name)).map((name) => head + name))
}

const known: { readonly [column: string]: ReadonlySet<string> } = {
  status: Contract.knownStatuses,
  kind: Contract.knownKinds,
}

/** Conditions: a column, then its known values. */
const conditions = (typed: string, columns: ReadonlyArray<string>): Answer => {
  const [, start = "", column = "", list = ""] = /^(([\w.]+)!?=)(.*)$/s.exec(typed) ?? []
  if (start === "")
    return words(
      columns.map((name) => `${name}=`),
      "open",
    )
  const values = Object.hasOwn(known, column) ? [...known[column]!] : []
  return words(items(list, values).words.map(({ word }) => start + word))
}

/** The values of a flag or an argument, of which `typed` can be the beginning. `metavar` is its value in the help, such as `FILE`. */
const valuesOf = (
  { metavar, name }: { readonly name: string; readonly metavar: string },
  typed: string,
  path: ReadonlyArray<string>,
): Effect.Effect<Answer, never, Environment> => {
  if (/^(?:profiles?|account)$/i.test(name) || path[0] === "profile") {
    return Effect.flatMap(Environment, ProfileFile.load).pipe(
      Effect.map(({ profiles }) => words(profiles.byName.keys())),
      Effect.orElseSucceed(() => words([])),
    )
  }
  const ofTable = path.includes("keys") ? Table.allColumns(keys.table) : Table.allColumns(contracts.table)
  const columns = ofTable.map(({ name }) => name)
  const isDescending = /(?:^|,)-[^,]*$/.test(typed)
  const values: { readonly [metavar: string]: () => Answer } = {
    FILE: () => files,
    FOLDER: () => files,
    MIRROR: () => files,
    "A,B": () => items(typed, columns),
    "A,-B": () => items(typed, isDescending ? columns.map((column) => `-${column}`) : columns),
    TEST: () => conditions(typed, columns),
    ZONE: () => words(["UTC", ...Intl.supportedValuesOf("timeZone")]),
    PATH: () => words(["/v1/me/", "/v1/contracts/", "/v1/api-keys/"], "open"),
    SHELL: () => words(Object.keys(scripts)),
  }
  return Effect.succeed(Object.hasOwn(values, metavar) ? values[metavar]!() : words([]))
}

/** Where the words before the cursor lead. */
const walk = (program: CommandDescriptor, before: ReadonlyArray<string>) => {
  const path: Array<string> = []
  let command = program
  let passed = 0
  let waiting: string | null = null
  let isLiteral = false
  for (const word of before) {
    const next = passed > 0 ? undefined : command.subcommands.find(({ name }) => name === word)
    const flag = /^--([\w-]+)$/.exec(word)?.[1]
    if (waiting !== null) waiting = null
    else if (isLiteral || !word.startsWith("-")) {
      if (next === undefined) passed += 1
      else {
        command = next
        path.push(word)
      }
    } else if (flag === undefined) isLiteral = word === "--"
    else {
      const type = command.flags.find(({ name }) => name === flag)?.type
      waiting = flag === "completions" || (type !== undefined && type._tag !== "Boolean") ? flag : null
    }
  }
  return { path, command, passed, waiting, isLiteral }
}

/** The names of the command that words begin with. */
export const pathOf = (program: Command.Command.Any, words: ReadonlyArray<string>): ReadonlyArray<string> =>
  walk(Descriptors.fromCommand(program), words).path

/** What the help of a command says. */
export const helpOf = Effect.fnUntraced(function* <Input, Context, E, R>(
  program: Command.Command<"deedkit", Input, Context, E, R>,
  path: ReadonlyArray<string>,
  builtIns: ReadonlyArray<GlobalFlag.BuiltIn>,
) {
  const docs: Array<HelpDoc> = []
  const presenter: CliOutput.Presenter = {
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") docs.push(event.helpDoc)
      }),
  }
  yield* Command.runWith(program, { version: "" })([...path, "--help"]).pipe(
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provideService(CliConfig.CliConfig, CliConfig.make({ builtIns })),
  )
  return docs[0] ?? null
})

const answerTo = Effect.fnUntraced(function* <Input, Context, E, R>(
  program: Command.Command<"deedkit", Input, Context, E, R>,
  { before, current }: Question,
  builtIns: ReadonlyArray<GlobalFlag.BuiltIn>,
) {
  const { command, isLiteral, passed, path, waiting } = walk(Descriptors.fromCommand(program), before)
  const doc = yield* helpOf(program, path, builtIns)
  if (doc === null) return words([])
  const flags = [doc.flags, doc.inheritedFlags ?? [], doc.globalFlags ?? []].flat()
  const valuesOfFlag = (name: string, typed: string) => {
    const type = command.flags.find((flag) => flag.name === name)?.type
    if (type?._tag === "Choice") return Effect.succeed(words(type.values))
    const metavar = name === "json" ? "A,B" : flags.find((flag) => flag.name === name)?.type
    return valuesOf({ name, metavar: metavar ?? "" }, typed, path)
  }
  if (waiting !== null) return yield* valuesOfFlag(waiting, current)
  const [, start = "", name = "", typed = ""] =
    (isLiteral ? null : /^(--([\w-]+)=)(.*)$/s.exec(current)) ?? []
  if (start !== "") {
    const answer = yield* valuesOfFlag(name, typed)
    return words(
      answer.words.map(({ word }) => start + word),
      answer.kind,
    )
  }
  const ownFlags: Answer = {
    kind: "words",
    words: [
      ...flags.map((flag) => ({
        word: `--${flag.name}`,
        description: Option.getOrUndefined(flag.description),
      })),
      ...command.flags.flatMap(({ name: flag, negation, type }) =>
        type._tag === "Boolean" && negation !== false ? [{ word: `--${negation ?? `no-${flag}`}` }] : [],
      ),
    ],
  }
  if (current.startsWith("-") && !isLiteral) return ownFlags
  const commands =
    passed > 0 || isLiteral
      ? []
      : command.subcommands.map(({ description, name: word }) => ({ word, description }))
  const args = doc.args ?? []
  const argument = args[passed] ?? args.findLast(({ variadic }) => variadic)
  if (commands.length > 0) return { kind: "words" as const, words: commands }
  if (argument === undefined) return args.length > 0 || isLiteral ? words([]) : ownFlags
  const metavar = argument.type === "string" ? argument.name : argument.type
  return yield* valuesOf({ name: argument.name, metavar }, current, path)
})

/** Answers a shell: only what begins as the word at the cursor does. */
export const answer = Effect.fnUntraced(function* <Input, Context, E, R>(
  program: Command.Command<"deedkit", Input, Context, E, R>,
  question: Question,
  builtIns: ReadonlyArray<GlobalFlag.BuiltIn>,
) {
  const { kind, words: found } = yield* answerTo(program, question, builtIns)
  const lines = found
    .filter(({ word }) => word.startsWith(question.current))
    .map(({ description = "", word }) => `${word}\t${clause(description, 60, "")}`)
  const { bytes } = yield* Terminal
  yield* write(bytes, `${[kind, ...lines].join("\n")}\n`)
})
