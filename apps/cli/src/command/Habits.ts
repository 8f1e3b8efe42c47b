/**
 * What people type who know other programs. Each entry of these tables is rewritten to this program's own words, or refused with the words that do it
 * here. A line is rewritten only if it can mean one thing and destroys nothing; otherwise it gets advice. Arguments after `--` are not changed. Pure.
 */
import { Failure, usageError } from "../failure/Failure.ts"
import { isValueOf } from "./Arguments.ts"
import { shellWord } from "./Subcommand.ts"

/**
 * What words mean here: words of this program, or advice, which is a sentence and ends with a full stop. In it `NOUN` stands for contracts or keys.
 */
type Meaning = string

const isAdvice = (meaning: Meaning): boolean => meaning.endsWith(".")

const readOnly = "deedkit is read-only: contracts and API keys are changed in the service's dashboard."
const noPage = "The service gives no address of a page: `deedkit contracts get ID` shows the record."
const search = "Use a condition: `deedkit NOUN list --where 'title~loft'`."
const secret =
  "An API key is never printed: `deedkit auth status` shows which one is in use, and where it is kept."
const noEvents =
  "The service sends no events: `deedkit sync worker` reads every night, and `deedkit sync changes` says what changed."
const noYaml = "There is no YAML: use --json."
const profile = "Use --profile NAME to choose an account."
const jq = "Pipe JSON to jq: `deedkit NOUN list --json | jq '.items[].id'`."
const condition = "Use a condition, such as `--where status=active` or `--where city~athens`."
const columnsOnly = "Choose columns with --columns A,B, or with --json=A,B."
const copies =
  "`deedkit sync --to mirror.sqlite` keeps a copy of all records, and `deedkit export all FILE` writes them to files."
const certificates =
  "Certificates are always verified: name the file of an authority of your own in the variable NODE_EXTRA_CA_CERTS."
const since =
  "Use a condition: `--where 'updated_at>=yesterday'`, `--where 'created_at>7d'` or `--where created_at=2025-06..2025-08`."

/** A table from rows of words, separated by commas, and their meaning. */
const byWords = (rows: ReadonlyArray<readonly [words: string, meaning: Meaning]>) =>
  new Map(rows.flatMap(([words, meaning]) => words.split(", ").map((each) => [each, meaning] as const)))

/** Commands by their first words; two words apply before one. */
const commands = byWords([
  ["login, signin, configure, init, setup", "auth login"],
  [
    "configure list, settings, profile show, profile current, config list, config show, config view, config ls, config file, config path, config current-context, env, info",
    "config explain",
  ],
  [
    "configure list-profiles, profiles, listremotes, accounts, auth list, auth ls, profile ls, config get-contexts",
    "profile list",
  ],
  ["configure get, config get", "`deedkit config explain` shows every setting and where it comes from."],
  [
    "configure set, config set, config edit",
    "`deedkit auth login` saves address and key, `deedkit profile use NAME` chooses a profile, `deedkit doctor --save` saves what it finds.",
  ],
  ["logout", "auth logout"],
  ["status, auth whoami, cluster-info", "auth status"],
  ["whoami, ping, about, sts get-caller-identity", "me"],
  ["ls, list, lsd, lsl, lsf, contracts head, contracts latest", "contracts list"],
  ["lsjson", "contracts list --json"],
  ["contracts", "contracts"],
  ["count, size", "contracts count"],
  ["stats, summary, contracts stats, contracts status, contracts summary", "contracts count --by status"],
  ["contracts group-by, contracts distinct, contracts group", "contracts count --by"],
  ["contracts export, export contract", "export contracts"],
  ["contracts audit, audit", "keys audit"],
  ["keys export, export key, export api-keys", "export keys"],
  ["verify, check, export check", "export verify"],
  ["report", "export report"],
  ["switch, use, auth switch, profile switch, profile default, config use-context", "profile use"],
  ["diagnose, test", "doctor"],
  ["changes, history, log, sync history, sync log, sync diff", "sync changes"],
  ["mirror, sync run, sync now, sync pull", "sync"],
  ["worker", "sync worker"],
  ["man", "--help"],
  ["version", "--version"],
  ["completion bash", "--completions bash"],
  ["completion zsh", "--completions zsh"],
  ["completion fish", "--completions fish"],
  ["completion powershell", "--completions powershell"],
  [
    "completion, genautocomplete",
    "`deedkit --completions bash` prints the script; also zsh, fish and powershell.",
  ],
  ["auth token, token", secret],
  ["auth refresh", "A key has no session to refresh: `deedkit auth login` saves a new one."],
  ["profile rm, profile delete", "profile remove"],
  ["profile add, profile create, config create", "`deedkit auth login --profile NAME` adds a profile."],
  [
    "profile rename",
    "Log in under the new name, `deedkit auth login --profile NEW`, then `deedkit profile remove OLD`.",
  ],
  [
    "export diff, diff, compare",
    "Two files are not compared: `deedkit sync changes MIRROR --since 7d` says what changed.",
  ],
  ["export list", "`deedkit contracts list` lists contracts, `deedkit export contracts FILE` exports them."],
  [
    "export listings, listings",
    "The service has no list of listings: contracts name theirs, in the columns listing.title and listing.city.",
  ],
  [
    "export csv, export xlsx, export excel, export json, export ndjson, export parquet",
    "The name of the file says the format: `deedkit export contracts contracts.xlsx`.",
  ],
  ["sync check", "sync verify"],
  ["sync list", "sync status"],
  [
    "download, dump, copy, copyto",
    "`deedkit export contracts FILE` exports contracts, `deedkit export all FILE` everything.",
  ],
  ["clone, pull, fetch", copies],
  [
    "columns, fields, schema, contracts columns, contracts fields, contracts schema, keys columns",
    "A heading or an API name chooses a column: `deedkit NOUN list --columns id,status`. A wrong name lists them all.",
  ],
  ["get, show, view, describe, inspect, cat", "Say of what: `deedkit contracts get ID`."],
  ["backup", "`deedkit export all FILE` exports everything, `deedkit sync --to FILE` keeps a mirror."],
  ["browse, open", noPage],
  ["listen, watch, events, trigger, tail", noEvents],
  ["logs", "`deedkit doctor` checks the server, and --verbose shows every request of a command."],
  ["md5sum", "`deedkit export verify FILE` checks an exported file against its manifest."],
  ["alias", "There are no aliases of commands: use one of the shell."],
  [
    "update, upgrade, self-update, selfupdate, check-update, outdated",
    "Update it the way you installed it, such as with `npm install -g deedkit@latest`.",
  ],
  [
    "uninstall",
    "Remove its profiles first, with `deedkit profile remove NAME`; then `npm uninstall -g deedkit`.",
  ],
  [
    "install, i",
    "`deedkit schedule COMMAND --install` installs a job of every night, `deedkit mcp install CLIENT` prints what an assistant needs.",
  ],
  ["extension, plugin", "There are no extensions of this program: `deedkit api PATH` makes any request."],
  ["serve, server", "`deedkit mcp` serves contracts and API keys to assistants."],
  ["mcp serve, mcp start", "mcp"],
  ["sql, query", "A mirror is SQLite: `sqlite3 mirror.sqlite`, after `deedkit sync --to mirror.sqlite`."],
  ["cron", "`deedkit schedule export all --out all.xlsx` prints what runs that every night."],
  ["search, find", search],
  ["post, put, patch, apply, push, create, delete", readOnly],
])

const nouns = byWords([
  ["contract, contracts", "contracts"],
  ["key, keys, api-key, api-keys, apikeys", "keys"],
])

/** Verbs before or after a noun. */
const verbs = byWords([
  ["list, ls, all", "list"],
  ["get, view, show, describe, retrieve, read, cat, inspect", "get"],
  ["search, find, grep", search],
  ["create, new, add, edit, update, set, patch, apply, delete, remove, rm, revoke, rotate", readOnly],
  ["open, browse", noPage],
  ["watch, wait, tail", noEvents],
])

const unknownCommand = (words: ReadonlyArray<string>, advice: Meaning, noun: string): Failure =>
  usageError(
    `Unknown command "${words.at(-1)}" for ${["deedkit", ...words.slice(0, -1)].join(" ")}`,
    advice.replaceAll("NOUN", noun),
  )

/** What to do with a file that is named where a command should be; null for another word. */
const adviceOnFile = (file: string): string | null => {
  const word = shellWord(file)
  if (/\.manifest\.json$/i.test(file))
    return `To check the files of a manifest: \`deedkit export verify ${word}\`.`
  if (/\.sqlite$/i.test(file))
    return `\`deedkit sync --to ${word}\` keeps a mirror, and \`deedkit sync status ${word}\` says how it is.`
  const [, name] = /([^/\\]*)\.(?:csv|tsv|xlsx|json|ndjson|parquet)(?:\.(?:gz|zst))?$/i.exec(file) ?? []
  if (name === undefined) return null
  const table = /^(?:keys|report)/i.exec(name)?.[0].toLowerCase() ?? "contracts"
  return `An export names its table before its file: \`deedkit export ${table} ${word}\`.`
}

const split = (meaning: Meaning): ReadonlyArray<string> => meaning.split(" ").filter((word) => word !== "")

/** The command that these words mean. */
const commandOf = (words: ReadonlyArray<string>): ReadonlyArray<string> | Failure => {
  const [first = "", second = "", ...rest] = words
  const [, verbFirst = "", nounLast = ""] = /^([a-z]+)-(.+)$/.exec(first) ?? []
  if (verbs.has(verbFirst) && nouns.has(nounLast)) {
    return commandOf([verbFirst, nounLast, ...words.slice(1)])
  }
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

/** Kinds of commands that take the same flags; `table` are exports of one table. */
type Place = "list" | "count" | "get" | "export" | "table" | "sync" | "api" | "login" | "other"

const placesOf = ([first, second]: ReadonlyArray<string>): ReadonlyArray<Place> => {
  if (first === "export" && (second === "contracts" || second === "keys")) return ["export", "table"]
  if (first === "export" && (second === "all" || second === "report")) return ["export"]
  if (first === "sync" && second === undefined) return ["sync"]
  if (first === "api") return ["api"]
  if (first === "auth" && second === "login") return ["login"]
  const isRecords = first === "contracts" || first === "keys"
  return isRecords && (second === "list" || second === "count" || second === "get") ? [second] : ["other"]
}

/**
 * A flag of other programs.
 *
 * - `at`: kinds of commands, separated by spaces; `any` for all.
 * - `typed`: the flags, separated by spaces.
 * - `means`: the own flag. With `=` at its end it takes the value; with nothing the flag is ignored. With `:` at its end it is a column, and the value
 *   a condition.
 * - `value`: the values for which this holds. A switch then takes the value away.
 */
type FlagHabit = readonly [at: string, typed: string, means: Meaning, value?: RegExp]

const form = "--format -o --output -f --as --out-format --output-format"

/** Flags of other programs. The first row that holds decides. */
const flags: ReadonlyArray<FlagHabit> = [
  ["any", "-v -vv -vvv --debug --trace", "--verbose"],
  ["any", "-V", "--version"],
  ["any", "-? --usage", "--help"],
  ["list get api", "-q", jq, /^[.[]/],
  ["any", "-q -s --silent", "--quiet"],
  ["any", "-p", "--profile="],
  ["any", "--url --host --hostname --server --endpoint --endpoint-url --api-url", "--base-url="],
  ["any", "--no-pager --no-cli-pager --progress -P --interactive", ""],
  ["list", "-n", profile, /^(?!all$)[a-z]/i],
  ["any", "-R --repo --context --namespace --region -A --all-namespaces", profile],
  ["any", "--tpslimit --qps --rps --max-rps --rate-limit", "--rate="],
  [
    "any",
    "--transfers --checkers --bwlimit --parallel",
    "Requests follow one another: --rate N is the largest number a second.",
  ],
  [
    "any",
    "--timeout --cli-read-timeout --request-timeout --max-time -m --connect-timeout",
    "--timeout takes seconds as a number, such as --timeout 30.",
    /\d[a-z]+$/i,
  ],
  ["any", "--cli-read-timeout --request-timeout --max-time -m --connect-timeout", "--timeout="],
  ["any", "-k --insecure --no-verify-ssl --no-check-certificate --insecure-skip-tls-verify", certificates],
  ["any", "--cacert --ca-bundle --cafile --certificate-authority", certificates],
  ["any", "-x --proxy --https-proxy", "A proxy is read from the environment: set the variable HTTPS_PROXY."],
  ["api", "-H --header", "The headers are deedkit's own: `--query NAME=VALUE` adds a parameter."],
  ["api", "-i -I --include --head", "--verbose shows the status of each request, and how long it took."],
  ["any", "--show-token", secret],
  ["login", "--with-token", "--with-key"],
  ["other", "--fix", "`deedkit doctor --save` saves what it finds."],
  [
    "any",
    "--retries --retry --max-retries --low-level-retries",
    "Use --attempts N: the first attempt counts too.",
  ],
  ["any", "--log-file", "--log="],
  ["any", "--web", noPage],
  ["any", "-j", "--json"],
  ["list get", "--json", "--json=", /^[a-z_][\w.]*(?:,[a-z_][\w.]*)*$/i],
  ["list get", form, "--ndjson", /^(?:ndjson|jsonl|nl)$/i],
  ["list count get", form, "--json", /^json$/i],
  ["list count get", form, noYaml, /^ya?ml$/i],
  ["list count get", form, columnsOnly, /^(?:wide|name|jsonpath|custom-columns|go-template)/i],
  ["list", form, "--format tsv", /^text$/i],
  ["other", "-o --output", "--json", /^json$/i],
  ["list", "-o --output -f --as --out-format --output-format", "--format=", /^(?:csv|tsv|table)$/i],
  ["count get", form, "", /^(?:table|text)$/i],
  [
    "list count get",
    "-o --output --out --file",
    "Redirect it with `> FILE`, or write a file that is whole or absent: `deedkit export NOUN FILE`.",
  ],
  ["list get", "--nl --jsonl --json-lines --compact-output --stream", "--ndjson"],
  ["list count get", "--pretty", "--json"],
  ["list", "--oneline --wide --brief --short --show-labels", columnsOnly],
  ["list", "--csv", "--format csv"],
  ["list", "--tsv", "--format tsv"],
  ["list", "--table", "--format table"],
  ["list", "--xlsx --excel", "`deedkit export NOUN NOUN.xlsx` writes a workbook."],
  ["list get", "--yaml", noYaml],
  ["list get", "--watch --follow", noEvents],
  ["get", "-w", noPage],
  [
    "list",
    "--data --include-data --expand",
    "`deedkit contracts get ID --data` shows the data of one, `deedkit export contracts FILE --data` exports those of all.",
  ],
  ["get", "--include-data --expand", "--data", /^data$/],
  ["get", "--include-data", "--data"],
  ["list count get", "--query", jq],
  ["list count get api", "--jq --template -t --raw --raw-output -r", jq],
  ["list", "--limit -L -n", "--all", /^all$/i],
  ["list", "-L -n --max --max-items --max-results --head --top --first --per-page", "--limit="],
  ["list", "--count", "`deedkit NOUN count` counts them; with `--by A,B` in groups."],
  ["list", "--summary --stats --group-by --distinct", "`deedkit NOUN count --by A,B` counts them in groups."],
  ["count", "--group-by --distinct", "--by="],
  [
    "list",
    "-a --page --offset --skip --after --before --cursor --starting-token --starting-after --ending-before --no-paginate",
    "Use --all for all pages, or --limit N for the first N records.",
  ],
  [
    "list",
    "--no-headers --no-header --no-heading --tuples-only --skip-column-names",
    "Headings stay: `--format csv | tail -n +2` drops them, and `--ndjson` has none.",
  ],
  ["list export", "--sort-by --order-by --orderby", "--sort="],
  [
    "list table",
    "--order --asc --desc --reverse",
    "Use --sort A for ascending and --sort -A for descending order, with `deedkit NOUN list`.",
  ],
  ["list table", "-c --fields --field --cols --column --select", "--columns="],
  ["list count table", "--filter --filters", condition, /^Name=/],
  ["list count table", "-w --filter --filters --selector --field-selector --condition", "--where=", /[=~<>]/],
  ["list count table", "-w --filter --filters --selector -l --condition --active --ended", condition],
  [
    "list count table",
    "--search -S --grep --text --title",
    "Use a condition: `--where 'title~loft'` or `--where city~athens`.",
  ],
  ["list count", "--since --after-date --newer --newer-than --until --from-date --to-date", since],
  ["export", "--until --newer --newer-than --from-date --to-date", since],
  ["list count table", "--status --state", "status:"],
  ["list count table", "--kind --type", "kind:"],
  ["list count table", "--city", "city:"],
  ["list count table", "--unit", "unit_label:"],
  ["list count table", "--created", "created_at:"],
  ["list count table", "--updated", "updated_at:"],
  ["export", "-o --output --file --out-file --output-file --outfile --filename --to", "--out="],
  [
    "export",
    "--gzip --compress -z",
    "A name that ends in .gz or .zst is compressed: `deedkit export NOUN NOUN.csv.gz`.",
  ],
  ["export", "--delimiter --separator --sep -d", "`--for excel-eu` writes semicolons, `--format tsv` tabs."],
  [
    "export",
    "--encoding --charset --bom",
    "Files are UTF-8: `--for excel` adds the mark by which Excel knows it.",
  ],
  ["export", "-O --remote-name", "Name the file: `deedkit export NOUN NOUN.xlsx`."],
  [
    "export",
    "--append --incremental",
    "A file is written whole: replace it with --overwrite, or keep a mirror with `deedkit sync`.",
  ],
  [
    "export",
    "-n",
    "An export writes all records: select some with --where. `--dry-run` sends nothing.",
    /^\d+$/,
  ],
  ["export", "-L --max --max-items", "An export writes all records: select some with --where."],
  ["export", "-n --dryrun --simulate --plan --check", "--dry-run"],
  ["export", "-f", "--format=", /^(?:csv|tsv|xlsx|excel|json|ndjson|jsonl|parquet)$/i],
  [
    "export",
    "-f --force -y --yes --clobber --replace --no-clobber --no-overwrite --skip-existing --ignore-existing",
    "Add --overwrite to replace an existing file.",
  ],
  ["export", "--format", "--format xlsx", /^excel$/i],
  ["export", "--format", "--format ndjson", /^(?:jsonl|nl)$/i],
  ["export", "--csv", "--format csv"],
  ["export", "--tsv", "--format tsv"],
  ["export", "--xlsx --excel", "--format xlsx"],
  ["export", "--ndjson --jsonl", "--format ndjson"],
  ["export", "--parquet", "--format parquet"],
  ["export", "--tz --timezone", "--time-zone="],
  ["export", "--all-profiles --all-accounts", "--all"],
  ["export", "--continue", "--resume"],
  [
    "table",
    "--since",
    "Use a condition, `--where 'updated_at>=yesterday'`; `deedkit export report --from MIRROR --since 7d` lists changes.",
  ],
  ["api", "-X --method --request", "", /^get$/i],
  ["api", "-X --method --request", readOnly],
  ["api", "-f -F --field --raw-field -d --data", "--query="],
  [
    "api",
    "--paginate --limit",
    "One request is one page: `--query limit=N`; `deedkit contracts list --all` reads all pages.",
  ],
  ["sync", "--all-profiles --all-accounts", "--all"],
  ["sync", "-o --out --output --file --db --database", "--to="],
]

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

/** Whether `--color`, `--no-color` and their like turn colours off; null for other words. */
const colorOf = (word: string): boolean | null =>
  /^--no-?colou?r$/.test(word) || /^--colou?r=(?:never|no|off|false|none)$/.test(word)
    ? true
    : /^--colou?r(?:=|$)/.test(word)
      ? false
      : null

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
  /** Whether `--no-color` was typed. */
  readonly isColorless: boolean
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
      written.push(...(isValued ? [value === undefined ? means.slice(0, -1) : means + value] : split(means)))
    } else if (value === undefined) {
      return unknownFlag(flag, path, `Use a condition: --where ${column}=VALUE.`)
    } else written.push("--where", column + (/^[=!~<>]/.test(value) ? "" : "=") + value)
    if (attached === null && value !== undefined && (isValued || held !== undefined)) at += 1
  }
  return written
}

/** Schedulers that `schedule` writes for. */
export const schedulers = ["systemd", "cron", "launchd", "windows", "github"] as const

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
    const isOwn = flag === "--at" || schedulers.some((each) => each === (value ?? next))
    if (word === "--" && others.length > 0) {
      others.push(...given.slice(at))
      break
    }
    if (word === "--") continue
    if (/^(?:--install|--help|-h)$/.test(word)) own.push(word)
    else if (flag === undefined || !isOwn) others.push(word)
    else if (value !== undefined || next === undefined) own.push(word)
    else {
      own.push(`${flag}=${next}`)
      at += 1
    }
  }
  const isHelp = own.some((word) => /^(?:--help|-h)$/.test(word))
  return ["schedule", ...own, ...(isHelp ? [] : ["--", ...others])]
}

/** Rewrites a line. */
export const translate = (args: ReadonlyArray<string>): Translated => {
  const job = scheduled(args)
  if (job !== null)
    return { args: job, isWholeHelp: args.includes("--all"), isColorless: false, refusal: null }
  const end = args.indexOf("--")
  // A dash that a document made of two.
  const typed = (end < 0 ? args : args.slice(0, end)).map((word) => word.replace(/^[–—](?=[a-z])/, "--"))
  const rest = end < 0 ? [] : args.slice(end)
  const isColorless = typed.some(
    (word, at) => colorOf(word) === true || (/^--colou?r$/.test(word) && typed[at + 1] === "never"),
  )
  const plain = typed.filter(
    (word, at) =>
      colorOf(word) === null &&
      !(/^--colou?r$/.test(typed[at - 1] ?? "") && /^(?:never|always|auto)$/.test(word)),
  )
  const result = (words: ReadonlyArray<string>, refusal: Failure | null): Translated => ({
    args: [...words, ...rest],
    isWholeHelp: false,
    isColorless,
    refusal,
  })
  if (plain.length === 1 && /^-[vV]$/.test(plain[0]!)) return result(["--version"], null)
  const path = pathIn(plain)
  const meant = path.length === 0 ? [] : commandOf(path.map((at) => plain[at]!))
  if (meant instanceof Failure) return result(plain, meant)
  const first = path[0] ?? 0
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
