/**
 * Rewrites what people type who know other programs, by the tables of `Habits`, and finds slips of the keyboard. Arguments after `--` are not changed. Pure.
 */
import { Failure, usageError } from "../failure/Failure.ts"
import { isValueOf } from "./Arguments.ts"
import type { FlagHabit, Meaning, Place } from "./Habits.ts"
import { commands, flags, isAdvice, nouns, schedulerNames, verbs } from "./Habits.ts"
import { shellWord } from "./Subcommand.ts"

const unknownCommand = (words: ReadonlyArray<string>, advice: Meaning, noun: string): Failure =>
  usageError(
    `Unknown command "${words.at(-1)}" for ${["deedkit", ...words.slice(0, -1)].join(" ")}`,
    advice.replaceAll("NOUN", noun),
  )

/** A file that an export writes, and its name without the endings. */
const exported = /([^/\\]*)\.(?:csv|tsv|xlsx|json|ndjson|jsonl|parquet)(?:\.(?:gz|zst))?$/i

/** What to do with a file that is named where a command should be; null for another word. */
const adviceOnFile = (file: string): string | null => {
  const word = shellWord(file)
  if (/\.manifest\.json$/i.test(file))
    return `To check the files of a manifest: \`deedkit export verify ${word}\`.`
  if (/\.sqlite$/i.test(file))
    return `\`deedkit sync --to ${word}\` keeps a mirror, and \`deedkit sync status ${word}\` says how it is.`
  const [, name] = exported.exec(file) ?? []
  if (name === undefined) return null
  const table = /^(?:keys|report)/i.exec(name)?.[0].toLowerCase() ?? "contracts"
  return `An export names its table before its file: \`deedkit export ${table} ${word}\`.`
}

const split = (meaning: Meaning): ReadonlyArray<string> => meaning.split(" ").filter((word) => word !== "")

/** The command that these words mean. */
const commandOf = (words: ReadonlyArray<string>): ReadonlyArray<string> | Failure => {
  const [first = "", second = "", ...rest] = words
  const [, left = "", right = ""] = /^([a-z_]+)[-/:.](.+)$/i.exec(first) ?? []
  if (
    (verbs.has(left) && nouns.has(right)) ||
    (nouns.has(left) && (verbs.has(right) || /^\d+$/.test(right)))
  ) {
    return commandOf([left, right, ...words.slice(1)])
  }
  if (/^(?:auth|config|export|mcp|profile|sync)[:.]\w/.test(first))
    return commandOf([...first.split(/[:.]/), ...words.slice(1)])
  if (first === "sync" && second === "to" && rest[0] !== undefined)
    return ["sync", `--to=${rest[0]}`, ...rest.slice(1)]
  if (first === "explain" && second !== "") return commandOf(["help", ...words.slice(1)])
  if (first === "help" || words.at(-1) === "help" || second === "help") {
    const meant = commandOf(words.filter((word) => word !== "help"))
    return meant instanceof Failure ? meant : [...meant, "--help"]
  }
  if (nouns.has(second) && verbs.has(first)) {
    const isOne = verbs.get(first) === "get" && rest.length === 0 && second.endsWith("s")
    return commandOf([second, isOne ? "list" : first, ...rest])
  }
  if (first === "get" && /^(?:\/|v1\/)/.test(second)) return ["api", second, ...rest]
  if (/^\/v\d+\//.test(first)) return ["api", ...words]
  if (/^(?:api|request|curl|call|http|rest)$/.test(first) && second !== "") {
    const [path = "", ...others] = /^get$/i.test(second) && rest.length > 0 ? rest : [second, ...rest]
    const [, noun = "", id = ""] = /^\/?([a-z-]+)(?:\/(\d+))?\/?$/i.exec(path) ?? []
    const list = noun === "me" ? "me" : noun === "keys" ? "api-keys" : (nouns.get(noun) ?? "")
    return ["api", list === "" ? path : `v1/${list}/${id === "" ? "" : `${id}/`}`, ...others]
  }
  if (/^https?:/.test(first)) {
    return unknownCommand([first], "Name the path alone, without its server: `deedkit api v1/me/`.", "")
  }
  const [, kind = "", oneId = ""] = /^([a-z-]+)\/(\d+)$/.exec(second) ?? []
  if (nouns.has(kind) && verbs.has(first)) return commandOf([first, kind, oneId, ...rest])
  if (/^(?:status|verify|changes)$/.test(first) && /\.(?:sqlite|db)$|:\/\//.test(second)) {
    return ["sync", first, second, ...rest]
  }
  const file = first === "export" ? second : first
  const ofFile = adviceOnFile(file)
  if (ofFile !== null) return unknownCommand(words.slice(0, words.indexOf(file) + 1), ofFile, "")
  if (first === "completions") return commandOf(["completion", ...words.slice(1)])
  if (first === "sync" && /[:.]/.test(second)) {
    return unknownCommand(
      ["sync", second],
      "Name the mirror: `deedkit sync --to mirror.sqlite`, with --profile NAME for another account.",
      "",
    )
  }
  const noun = nouns.get(first)
  if (noun !== undefined) {
    if (/^\d/.test(second)) return [noun, "get", second, ...rest]
    const verb = verbs.get(second)
    if (verb !== undefined)
      return isAdvice(verb) ? unknownCommand([noun, second], verb, noun) : [noun, verb, ...rest]
  }
  const two = commands.get(`${noun ?? first} ${second}`)
  if (two !== undefined)
    return isAdvice(two) ? unknownCommand([first, second], two, "contracts") : [...split(two), ...rest]
  const one = commands.get(first)
  if (one === undefined) return words.length === 0 ? [] : [noun ?? first, ...words.slice(1)]
  return isAdvice(one) ? unknownCommand([first], one, "contracts") : [...split(one), ...words.slice(1)]
}

const placesOf = ([first, second]: ReadonlyArray<string>): ReadonlyArray<Place> => {
  if (first === "export" && (second === "contracts" || second === "keys")) return ["export", "table"]
  if (first === "export" && (second === "all" || second === "report")) return ["export"]
  if (first === "sync" && second !== "worker") {
    if (second === undefined) return ["sync"]
    // It has formats of its own.
    return second === "changes" ? ["mirror"] : ["mirror", "other"]
  }
  if (first === "api" || first === "mcp") return [first]
  if (first === "auth" && second === "login") return ["login"]
  const isRecords = first === "contracts" || first === "keys"
  return isRecords && (second === "list" || second === "count" || second === "get") ? [second] : ["other"]
}

/** Flags of this program that take a value and can stand before the command. */
const valued = /^(?:-p|--(?:profile|base-url|cursor-param|rate|timeout|attempts|debug-bundle|log|ping))$/
/** Flags that can stand before the command. */
const shared =
  /^--?(?:p|v|q|h|help|json|verbose|quiet|api-key-stdin|profile|base-url|cursor-param|rate|timeout|attempts|debug-bundle|log|ping|no-colou?r|colou?r)(?:=|$)/

/** Where the words of the command are, up to the first flag that is its own: two, and a third that follows at once. */
const pathIn = (words: ReadonlyArray<string>): ReadonlyArray<number> => {
  const path: Array<number> = []
  for (let at = 0; at < words.length && path.length < 3; at += 1) {
    const word = words[at]!
    if (valued.test(word)) at += 1
    else if (!word.startsWith("-") && (path.length < 2 || path[1] === at - 1)) path.push(at)
    else if (path.length > 1) break
    else if (path.length > 0 && !shared.test(word)) break
  }
  return path
}

/** What `--color`, `--no-color` and their like say of colours; null for other words. `--color` alone asks for them, as with git. */
const colorOf = (word: string): Translated["color"] | null => {
  if (/^--no-?colou?r$/.test(word)) return "never"
  const [, when = ""] = /^--colou?r(?:=(.*))?$/.exec(word) ?? []
  if (!/^--colou?r(?:=|$)/.test(word)) return null
  if (/^(?:never|no|off|false|none)$/.test(when)) return "never"
  return /^(?:auto|tty|if-tty)$/.test(when) ? "auto" : "always"
}

const hasPlace = ([at]: FlagHabit, places: ReadonlyArray<Place>): boolean =>
  at === "any" || places.some((place) => split(at).includes(place))

/** The rows for a flag in a place. */
const rowsOf = (flag: string, places: ReadonlyArray<Place>): ReadonlyArray<FlagHabit> =>
  flags.filter((row) => split(row[1]).includes(flag) && hasPlace(row, places))

/** Splits `--flag=value`, `-Lvalue` and `-L=value`; the value is null if it is not in the word. */
const parts = (word: string, places: ReadonlyArray<Place>): readonly [flag: string, value: string | null] => {
  const [, long, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  if (long !== undefined && value !== undefined) return [long, value]
  const [, short, attached] = /^(-[a-z])=?(.+)$/is.exec(word) ?? []
  if (short === undefined || attached === undefined || word.startsWith("--")) return [word, null]
  const isValued = rowsOf(short, places).some(([, , means]) => /[=:]$/.test(means))
  return isValued ? [short, attached] : [word, null]
}

const unknownFlag = (flag: string, path: ReadonlyArray<string>, advice: Meaning): Failure =>
  usageError(
    `Unknown flag ${flag} for ${["deedkit", ...path.slice(0, path[0] === "api" ? 1 : 2)].join(" ")}`,
    advice.replaceAll("NOUN", path.includes("keys") ? "keys" : "contracts"),
  )

export interface Translated {
  readonly args: ReadonlyArray<string>
  /** Whether `--all` was typed with `--help`. */
  readonly isWholeHelp: boolean
  /** When output has colours; `auto`: on a terminal. */
  readonly color: "always" | "auto" | "never"
  /** Why the line is refused; null if it is not. */
  readonly refusal: Failure | null
}

/** Rewrites the flags behind a command. */
const flagsOf = (
  words: ReadonlyArray<string>,
  path: ReadonlyArray<string>,
  first: number,
): ReadonlyArray<string> | Failure => {
  const places = placesOf(path)
  const written: Array<string> = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (isValueOf(written.at(-1), word)) {
      written.push(word)
      continue
    }
    // `head -5` and `git log -5`.
    if (places.includes("list") && /^-\d+$/.test(word) && !(written.at(-1) ?? "").startsWith("-")) {
      written.push(`--limit=${word.slice(1)}`)
      continue
    }
    const [flag, attached] = parts(word, places)
    const next = words[at + 1]
    const value = attached ?? (next?.startsWith("-") === true && next !== "-" ? undefined : next)
    const row = word.startsWith("-")
      ? rowsOf(flag, places).find(([, , , held]) => held === undefined || held.test(value ?? ""))
      : undefined
    if (row === undefined || (at < first && row[0] !== "any")) {
      written.push(word)
      continue
    }
    const [, , means, held] = row
    if (isAdvice(means)) return unknownFlag(flag, path, means)
    const isValued = /[=:]$/.test(means)
    const column = /^(.*):$/.exec(means)?.[1]
    if (column === undefined) {
      if (!isValued && means !== "" && written.includes(means)) continue
      written.push(...(isValued ? [value === undefined ? means.slice(0, -1) : means + value] : split(means)))
    } else if (value === undefined) {
      return unknownFlag(flag, path, `Use a condition: --where ${column}=VALUE.`)
    } else {
      const name = column + (/[=~<>]$/.test(column) || /^[=!~<>]/.test(value) ? "" : "=")
      const before = written.findIndex((each) => /\w=$/.test(name) && each.startsWith(name))
      if (before > 0) written[before] += `,${value}`
      else written.push("--where", name + value)
    }
    if (attached === null && value !== undefined && (isValued || held !== undefined)) at += 1
  }
  return written
}

/**
 * The words of `schedule`, whose own flags may be anywhere; all others belong to the command that it schedules. Null for other commands. `--for` of an
 * export has other values.
 */
const scheduled = (words: ReadonlyArray<string>): ReadonlyArray<string> | null => {
  const [first] = pathIn(words)
  if (first === undefined || words[first] !== "schedule") return null
  const own: Array<string> = []
  const others: Array<string> = []
  const given = words.filter((_, at) => at !== first)
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at]!
    const next = given[at + 1]
    const [flag, value] = /^(--(?:for|at))(?:=(.*))?$/s.exec(word)?.slice(1) ?? []
    const named = schedulerNames.get(value ?? next ?? "")
    const isOwn = flag === "--at" || named !== undefined
    if (word === "--" && others.length > 0) {
      others.push(...given.slice(at))
      break
    }
    if (word === "--") continue
    if (/^(?:--install|--help|-h)$/.test(word)) own.push(word)
    else if (flag === undefined || !isOwn) others.push(word)
    else {
      own.push(next === undefined && value === undefined ? word : `${flag}=${named ?? value ?? next}`)
      if (value === undefined) at += 1
    }
  }
  const isHelp = own.some((word) => /^(?:--help|-h)$/.test(word))
  return ["schedule", ...own, ...(isHelp ? [] : ["--", ...others])]
}

/** Rewrites a line. */
export const translate = (args: ReadonlyArray<string>): Translated => {
  const job = scheduled(args)
  if (job !== null) return { args: job, isWholeHelp: args.includes("--all"), color: "auto", refusal: null }
  const end = args.indexOf("--")
  // A dash that a document made of two.
  const typed = (end < 0 ? args : args.slice(0, end))
    .map((word) => word.replace(/^[–—](?=[a-z])/, "--"))
    .flatMap((word, at, all) => {
      if (/^(?:never|always|auto)$/.test(word) && /^--colou?r$/.test(all[at - 1] ?? "")) return []
      return /^--colou?r$/.test(word) && /^(?:never|auto)$/.test(all[at + 1] ?? "")
        ? [`${word}=${all[at + 1]}`]
        : [word]
    })
  const rest = end < 0 ? [] : args.slice(end)
  const color = typed.map(colorOf).findLast((when) => when !== null) ?? "auto"
  const plain = typed.filter((word) => colorOf(word) === null)
  const result = (words: ReadonlyArray<string>, refusal: Failure | null): Translated => ({
    args: [...words, ...rest],
    isWholeHelp: false,
    color,
    refusal,
  })
  if (plain.length === 1 && /^-[vV]$/.test(plain[0]!)) return result(["--version"], null)
  const path = pathIn(plain)
  const found = path.length === 0 ? [] : commandOf(path.map((at) => plain[at]!))
  if (found instanceof Failure) return result(plain, found)
  const first = path[0] ?? 0
  // `contracts --status active` is a list.
  const isList =
    found.length === 1 &&
    nouns.has(found[0]!) &&
    !plain.some((word) => word === "--help" || word === "-h") &&
    plain.slice(first).some((word) => word.startsWith("-") && !shared.test(word))
  const meant = isList ? [found[0]!, "list"] : found
  const words = [
    ...plain.slice(0, first),
    ...meant,
    ...plain.filter((_, at) => at >= first && !path.includes(at)),
  ]
  if (words.some((word) => word === "--help" || word === "-h")) {
    const isWholeHelp = words.includes("--all")
    return { ...result(isWholeHelp ? words.filter((word) => word !== "--all") : words, null), isWholeHelp }
  }
  const named = meant.filter((word) => !word.startsWith("-"))
  const written = flagsOf(words, named, first + named.length)
  return written instanceof Failure ? result(words, written) : result(written, null)
}

/** Advice for words that a command does not take; null if there is none. */
export const argumentAdvice = (path: ReadonlyArray<string>, words: ReadonlyArray<string>): string | null => {
  const places = placesOf(path)
  if (places.includes("list") && words.every((word) => /^\d+$/.test(word)))
    return `For records by their ids: \`deedkit ${path[0]} get ${words.join(" ")}\`.`
  const [word = ""] = words
  if (places.includes("list") && exported.test(word))
    return `To write a file: \`deedkit export ${path[0]} ${shellWord(word)}\`.`
  if (places.includes("list") && /^(?:asc|desc)(?:ending)?$/i.test(word))
    return "Use --sort A for ascending and --sort -A for descending order."
  if (/^(?:and|or|[=!~<>]+)$/i.test(word))
    return "Quote a condition with its spaces, and give each as a --where of its own."
  if (/^[\w.]+(?:[=~<>]|!=)/.test(word) && (places.includes("list") || places.includes("count")))
    return `Each condition is a --where of its own: \`${words.map((each) => `--where ${shellWord(each)}`).join(" ")}\`.`
  if (/^https?:/.test(word) && path.length === 1) return "An address follows --base-url."
  if (path.join(" ") === "auth login")
    return "An address follows --base-url, and a name --profile; the key is asked for."
  if (places.includes("count") && /^(?:by|status|kind|city|unit|area|listing)$/i.test(word))
    return `For groups: \`deedkit ${path[0]} count --by ${words.filter((each) => each !== "by").join(",")}\`.`
  return places.includes("list") || places.includes("count")
    ? "Select records with a condition, such as `--where city~athens` or `--where status=active`."
    : null
}

/** Single edits between two words, an exchange of neighbours counted as one. */
const editsBetween = (left: string, right: string): number => {
  const rows = Array.from({ length: left.length + 1 }, (_, at) => [
    at,
    ...Array<number>(right.length).fill(0),
  ])
  for (let column = 0; column <= right.length; column += 1) rows[0]![column] = column
  for (let row = 1; row <= left.length; row += 1) {
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1
      const best = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + same,
      )
      const isExchange =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      rows[row]![column] = isExchange ? Math.min(best, rows[row - 2]![column - 2]! + 1) : best
    }
  }
  return rows[left.length]![right.length]!
}

/** Whether a short word has the letters of another one in another order, or all but one of them. */
const isShuffled = (word: string, other: string): boolean => {
  let left = other
  for (const letter of word) {
    if (!left.includes(letter)) return false
    left = left.replace(letter, "")
  }
  return left.length <= (word.length === 4 ? 1 : 0)
}

/**
 * The candidate of which a word is a slip of the keyboard, or null: one edit, two in a word of seven letters or more. Flags of other programs count as
 * candidates, so that `--ouput` is `--output`, and so `--out`. Never a word that is only similar.
 */
export const slipOf = (
  word: string,
  candidates: ReadonlyArray<string>,
  path: ReadonlyArray<string> = [],
): string | null => {
  const places = placesOf(path)
  const synonyms = flags.flatMap((row) => {
    const [, typed, means, value] = row
    const isOwn = value === undefined && /^--[a-z-]+=?$/.test(means) && hasPlace(row, places)
    return isOwn ? split(typed).map((flag) => [flag, means.replace("=", "")] as const) : []
  })
  const known = [
    ...candidates.map((each) => [each, each] as const),
    ...(word.startsWith("-") ? synonyms : []),
  ]
  const wanted = word.toLowerCase().replace(/^--/, "")
  const most = wanted.length >= 7 ? 2 : 1
  // Most short words are one edit from another one.
  const isShort = wanted.length < 5
  let found: string | null = null
  let fewest = most + 1
  for (const [typed, meant] of known) {
    const other = typed.replace(/^--/, "")
    if (other.length < 3 || (isShort && !isShuffled(wanted, other))) continue
    const edits = editsBetween(wanted, other)
    if (edits < fewest) [found, fewest] = [meant, edits]
  }
  return found
}
