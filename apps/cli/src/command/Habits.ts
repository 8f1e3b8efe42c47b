/**
 * What people type who know other programs. Each entry of these tables is rewritten to this program's own words, or refused with the words that do it
 * here. A line is rewritten only if it can mean one thing and destroys nothing; otherwise it gets advice. Arguments after `--` are not changed. Pure.
 */
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

/** Advice instead of a meaning. `NOUN` stands for contracts or keys. */
interface Advice {
  readonly advice: string
}

type Meanings = { readonly [words: string]: string | Advice }

const advice = (text: string): Advice => ({ advice: text })

const readOnly = advice(
  "deedkit is read-only: contracts and API keys are changed in the service's dashboard.",
)
const upgrade = advice("Update it as it was installed, such as `npm install -g deedkit@latest`.")
const scheduler = advice("`deedkit schedule export all --out all.xlsx` prints what runs that every night.")
const completions = advice("`deedkit --completions bash` prints the script; also zsh, fish and powershell.")
const noPage = advice("The service gives no address of a page: `deedkit contracts get ID` shows the record.")
const exportFormat = advice(
  "The name of the file says the format: `deedkit export contracts contracts.xlsx`.",
)
const noDiff = advice(
  "Two files are not compared: `deedkit sync changes MIRROR --since 7d` says what changed.",
)
const search = advice("Use a condition: `deedkit NOUN list --where 'title~loft'`.")
const secret = advice(
  "An API key is never printed: `deedkit auth status` shows which one is in use, and where it is kept.",
)
const addProfile = advice("`deedkit auth login --profile NAME` adds a profile.")
const settingsShown = advice("`deedkit config explain` shows every setting and where it comes from.")
const noListings = advice(
  "The service has no list of listings: contracts name theirs, in the columns listing.title and listing.city.",
)
const download = advice(
  "`deedkit export contracts FILE` exports contracts, `deedkit export all FILE` everything.",
)
const noEvents = advice(
  "The service sends no events: `deedkit sync worker` reads every night, and `deedkit sync changes` says what changed.",
)
const noPlugins = advice("There are no extensions of this program: `deedkit api PATH` makes any request.")
const assistants = advice("`deedkit mcp` serves contracts and API keys to assistants.")
const setSetting = advice(
  "`deedkit auth login` saves address and key, `deedkit profile use NAME` chooses a profile, `deedkit doctor --save` saves what it finds.",
)

/** Commands by their first words, the longer ones first to apply. */
const commands: Meanings = {
  login: "auth login",
  signin: "auth login",
  configure: "auth login",
  "configure list": "config explain",
  "configure list-profiles": "profile list",
  "configure get": settingsShown,
  "configure set": setSetting,
  init: "auth login",
  setup: "auth login",
  logout: "auth logout",
  status: "auth status",
  whoami: "me",
  ping: "me",
  about: "me",
  "sts get-caller-identity": "me",
  ls: "contracts list",
  list: "contracts list",
  lsd: "contracts list",
  lsl: "contracts list",
  lsf: "contracts list",
  lsjson: "contracts list --json",
  contracts: "contracts",
  count: "contracts count",
  stats: "contracts count --by status",
  summary: "contracts count --by status",
  size: "contracts count",
  "contracts stats": "contracts count --by status",
  "contracts status": "contracts count --by status",
  "contracts summary": "contracts count --by status",
  "contracts group-by": "contracts count --by",
  "contracts head": "contracts list",
  "contracts latest": "contracts list",
  "contracts export": "export contracts",
  "contracts audit": "keys audit",
  "keys export": "export keys",
  verify: "export verify",
  check: "export verify",
  report: "export report",
  audit: "keys audit",
  profiles: "profile list",
  listremotes: "profile list",
  accounts: "profile list",
  switch: "profile use",
  use: "profile use",
  diagnose: "doctor",
  settings: "config explain",
  changes: "sync changes",
  history: "sync changes",
  mirror: "sync",
  worker: "sync worker",
  man: "--help",
  version: "--version",
  "completion bash": "--completions bash",
  "completion zsh": "--completions zsh",
  "completion fish": "--completions fish",
  "completion powershell": "--completions powershell",
  completion: completions,
  "auth whoami": "auth status",
  "auth list": "profile list",
  "auth ls": "profile list",
  "auth switch": "profile use",
  "auth token": secret,
  token: secret,
  "auth refresh": advice("A key has no session to refresh: `deedkit auth login` saves a new one."),
  "profile ls": "profile list",
  "profile switch": "profile use",
  "profile rm": "profile remove",
  "profile delete": "profile remove",
  "profile show": "config explain",
  "profile current": "config explain",
  "profile default": "profile use",
  "profile add": addProfile,
  "profile create": addProfile,
  "profile rename": advice(
    "Log in under the new name, `deedkit auth login --profile NEW`, then `deedkit profile remove OLD`.",
  ),
  "config list": "config explain",
  "config show": "config explain",
  "config view": "config explain",
  "config ls": "config explain",
  "config file": "config explain",
  "config path": "config explain",
  "config current-context": "config explain",
  "config get-contexts": "profile list",
  "config use-context": "profile use",
  "config create": addProfile,
  "config get": settingsShown,
  env: "config explain",
  info: "config explain",
  "config set": setSetting,
  "config edit": setSetting,
  "export contract": "export contracts",
  "export key": "export keys",
  "export api-keys": "export keys",
  "export check": "export verify",
  "export diff": noDiff,
  "export list": advice(
    "`deedkit contracts list` lists contracts, `deedkit export contracts FILE` exports them.",
  ),
  "export listings": noListings,
  listings: noListings,
  "export csv": exportFormat,
  "export xlsx": exportFormat,
  "export excel": exportFormat,
  "export json": exportFormat,
  "export ndjson": exportFormat,
  "export parquet": exportFormat,
  "sync history": "sync changes",
  "sync log": "sync changes",
  "sync diff": "sync changes",
  "sync check": "sync verify",
  "sync list": "sync status",
  "sync run": "sync",
  "sync now": "sync",
  "sync pull": "sync",
  diff: noDiff,
  compare: noDiff,
  download,
  dump: download,
  copy: download,
  copyto: download,
  backup: advice("`deedkit export all FILE` exports everything, `deedkit sync --to FILE` keeps a mirror."),
  browse: noPage,
  open: noPage,
  listen: noEvents,
  watch: noEvents,
  events: noEvents,
  trigger: noEvents,
  logs: advice("`deedkit doctor` checks the server, and --verbose shows every request of a command."),
  md5sum: advice("`deedkit export verify FILE` checks an exported file against its manifest."),
  alias: advice("There are no aliases of commands: use one of the shell."),
  update: upgrade,
  upgrade,
  "self-update": upgrade,
  selfupdate: upgrade,
  "check-update": upgrade,
  extension: noPlugins,
  plugin: noPlugins,
  serve: assistants,
  server: assistants,
  "mcp serve": "mcp",
  "mcp start": "mcp",
  sql: advice("A mirror is SQLite: `sqlite3 mirror.sqlite`, after `deedkit sync --to mirror.sqlite`."),
  query: advice("A mirror is SQLite: `sqlite3 mirror.sqlite`, after `deedkit sync --to mirror.sqlite`."),
  cron: scheduler,
  search,
  find: search,
  post: readOnly,
  put: readOnly,
  patch: readOnly,
  apply: readOnly,
  genautocomplete: completions,
}

const nouns: { readonly [word: string]: string } = {
  contract: "contracts",
  contracts: "contracts",
  key: "keys",
  keys: "keys",
  "api-key": "keys",
  "api-keys": "keys",
  apikeys: "keys",
}

/** Verbs before or after a noun. */
const verbs: Meanings = {
  list: "list",
  ls: "list",
  all: "list",
  get: "get",
  view: "get",
  show: "get",
  describe: "get",
  retrieve: "get",
  read: "get",
  cat: "get",
  inspect: "get",
  search,
  find: search,
  grep: search,
  create: readOnly,
  new: readOnly,
  add: readOnly,
  edit: readOnly,
  update: readOnly,
  set: readOnly,
  patch: readOnly,
  apply: readOnly,
  delete: readOnly,
  remove: readOnly,
  rm: readOnly,
  revoke: readOnly,
  rotate: readOnly,
  open: noPage,
  browse: noPage,
}

const unknownCommand = (words: ReadonlyArray<string>, meaning: Advice, noun: string): Failure =>
  usageError(
    `Unknown command "${words.at(-1)}" for ${["deedkit", ...words.slice(0, -1)].join(" ")}`,
    meaning.advice.replaceAll("NOUN", noun),
  )

const split = (meaning: string): ReadonlyArray<string> => meaning.split(" ")

/** The entry of a table; null also for words such as `constructor`, which every object has. */
const entryOf = <A>(table: { readonly [word: string]: A }, word: string): A | null =>
  Object.hasOwn(table, word) ? (table[word] ?? null) : null

/** The command that these words mean. */
const commandOf = (words: ReadonlyArray<string>): ReadonlyArray<string> | Failure => {
  const [first = "", second = "", ...rest] = words
  const [, verbFirst = "", nounLast = ""] = /^([a-z]+)-(.+)$/.exec(first) ?? []
  if (entryOf(verbs, verbFirst) !== null && entryOf(nouns, nounLast) !== null) {
    return commandOf([verbFirst, nounLast, ...words.slice(1)])
  }
  if (first === "explain" && second !== "") return commandOf(["help", ...words.slice(1)])
  if (first === "help" || words.at(-1) === "help" || second === "help") {
    const meant = commandOf(words.filter((word) => word !== "help"))
    return Array.isArray(meant) ? [...meant, "--help"] : meant
  }
  if (entryOf(nouns, second) !== null && entryOf(verbs, first) !== null) {
    const isOne = entryOf(verbs, first) === "get" && rest.length === 0 && second.endsWith("s")
    return commandOf([second, isOne ? "list" : first, ...rest])
  }
  if (first === "get" && /^(?:\/|v1\/)/.test(second)) return ["api", second, ...rest]
  if (/^(?:status|verify|changes)$/.test(first) && /\.(?:sqlite|db)$|:\/\//.test(second)) {
    return ["sync", first, second, ...rest]
  }
  if (first === "completions") return commandOf(["completion", ...words.slice(1)])
  if (first === "sync" && /[:.]/.test(second)) {
    return unknownCommand(
      ["sync", second],
      advice("Name the mirror: `deedkit sync --to mirror.sqlite`, with --profile NAME for another account."),
      "",
    )
  }
  const noun = entryOf(nouns, first)
  if (noun !== null) {
    if (/^\d/.test(second)) return [noun, "get", second, ...rest]
    const verb = entryOf(verbs, second)
    if (typeof verb === "string") return [noun, verb, ...rest]
    if (verb !== null) return unknownCommand([noun, second], verb, noun)
  }
  const two = entryOf(commands, `${noun ?? first} ${second}`)
  if (typeof two === "string") return [...split(two), ...rest]
  if (two !== null) return unknownCommand([first, second], two, "contracts")
  const one = entryOf(commands, first)
  if (typeof one === "string") return [...split(one), ...words.slice(1)]
  return one === null ? [noun ?? first, ...words.slice(1)] : unknownCommand([first], one, "contracts")
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

interface FlagHabit {
  /** Kinds of commands, separated by spaces; `any` for all. */
  readonly at: string
  /** The flags, separated by spaces. */
  readonly typed: string
  /**
   * The own flag: with `=` at its end it takes the value; with nothing the flag is ignored. With `:` at its end it is a column, and the value a
   * condition.
   */
  readonly means: string | Advice
  /** The values for which this holds. A switch then takes the value away. */
  readonly value?: RegExp
}

const form = "--format -o --output -f --as --out-format --output-format"
const noYaml = advice("There is no YAML: use --json.")
const profile = advice("Use --profile NAME to choose an account.")
const jq = advice("Pipe JSON to jq: `deedkit NOUN list --json | jq '.items[].id'`.")
const overwrite = advice("Add --overwrite to replace an existing file.")
const condition = advice("Use a condition, such as `--where status=active` or `--where city~athens`.")
const since = advice(
  "Use a condition: `--where 'updated_at>=yesterday'`, `--where 'created_at>7d'` or `--where created_at=2025-06..2025-08`.",
)
const pages = advice("Use --all for all pages, or --limit N for the first N records.")
/** Flags of other programs. The first row that holds decides. */
const flags: ReadonlyArray<FlagHabit> = [
  { at: "any", typed: "-v -vv -vvv --debug --trace", means: "--verbose" },
  { at: "any", typed: "-V", means: "--version" },
  { at: "any", typed: "-? --usage", means: "--help" },
  { at: "list get api", typed: "-q", means: jq, value: /^[.[]/ },
  { at: "any", typed: "-q -s --silent", means: "--quiet" },
  { at: "any", typed: "-p", means: "--profile=" },
  {
    at: "any",
    typed: "--url --host --hostname --server --endpoint --endpoint-url --api-url",
    means: "--base-url=",
  },
  { at: "any", typed: "--no-pager --no-cli-pager --progress -P --interactive", means: "" },
  { at: "list", typed: "-n", means: profile, value: /^(?!all$)[a-z]/i },
  { at: "any", typed: "-R --repo --context --namespace --region -A --all-namespaces", means: profile },
  { at: "any", typed: "--tpslimit --qps --rps --max-rps --rate-limit", means: "--rate=" },
  {
    at: "any",
    typed: "--transfers --checkers --bwlimit --parallel",
    means: advice("Requests follow one another: --rate N is the largest number a second."),
  },
  {
    at: "any",
    typed: "--timeout --cli-read-timeout --request-timeout",
    means: advice("--timeout takes seconds as a number, such as --timeout 30."),
    value: /\d[a-z]+$/i,
  },
  { at: "any", typed: "--cli-read-timeout --request-timeout", means: "--timeout=" },
  { at: "any", typed: "--show-token", means: secret },
  { at: "login", typed: "--with-token", means: "--with-key" },
  { at: "other", typed: "--fix", means: advice("`deedkit doctor --save` saves what it finds.") },
  {
    at: "any",
    typed: "--retries --retry --max-retries --low-level-retries",
    means: advice("Use --attempts N: the first attempt counts too."),
  },
  { at: "any", typed: "--log-file", means: "--log=" },
  { at: "any", typed: "--web", means: noPage },

  { at: "any", typed: "-j", means: "--json" },
  { at: "list get", typed: "--json", means: "--json=", value: /^[a-z_][\w.]*(?:,[a-z_][\w.]*)*$/i },
  { at: "list get", typed: form, means: "--ndjson", value: /^(?:ndjson|jsonl|nl)$/i },
  { at: "list count get", typed: form, means: "--json", value: /^json$/i },
  { at: "list count get", typed: form, means: noYaml, value: /^ya?ml$/i },
  {
    at: "list count get",
    typed: form,
    means: advice("Choose columns with --columns A,B, or with --json=A,B."),
    value: /^(?:wide|name|jsonpath|custom-columns|go-template)/i,
  },
  { at: "list", typed: form, means: "--format tsv", value: /^text$/i },
  { at: "other", typed: "-o --output", means: "--json", value: /^json$/i },
  {
    at: "list",
    typed: "-o --output -f --as --out-format --output-format",
    means: "--format=",
    value: /^(?:csv|tsv|table)$/i,
  },
  { at: "count get", typed: form, means: "", value: /^(?:table|text)$/i },
  {
    at: "list count get",
    typed: "-o --output --out --file",
    means: advice(
      "Redirect it with `> FILE`, or write a file that is whole or absent: `deedkit export NOUN FILE`.",
    ),
  },
  { at: "list get", typed: "--nl --jsonl --json-lines", means: "--ndjson" },
  { at: "list", typed: "--csv", means: "--format csv" },
  { at: "list", typed: "--tsv", means: "--format tsv" },
  { at: "list", typed: "--table", means: "--format table" },
  {
    at: "list",
    typed: "--xlsx --excel",
    means: advice("`deedkit export NOUN NOUN.xlsx` writes a workbook."),
  },
  { at: "list get", typed: "--yaml", means: noYaml },
  { at: "list get", typed: "--watch --follow", means: noEvents },
  { at: "get", typed: "-w", means: noPage },
  { at: "get", typed: "--include-data --expand", means: "--data", value: /^data$/ },
  { at: "get", typed: "--include-data", means: "--data" },
  { at: "list count get", typed: "--query", means: jq },
  { at: "list count get api", typed: "--jq --template -t --raw --raw-output -r", means: jq },
  { at: "list", typed: "--limit -L -n", means: "--all", value: /^all$/i },
  {
    at: "list",
    typed: "-L -n --max --max-items --max-results --head --top --first --per-page",
    means: "--limit=",
  },
  {
    at: "list",
    typed: "--count",
    means: advice("`deedkit NOUN count` counts them; with `--by A,B` in groups."),
  },
  {
    at: "list",
    typed: "--summary --stats --group-by --distinct",
    means: advice("`deedkit NOUN count --by A,B` counts them in groups."),
  },
  { at: "count", typed: "--group-by --distinct", means: "--by=" },
  {
    at: "list",
    typed:
      "-a --page --offset --skip --after --before --cursor --starting-token --starting-after --ending-before --no-paginate",
    means: pages,
  },
  {
    at: "list",
    typed: "--no-headers --no-header --no-heading",
    means: advice("Headings stay: `--format csv | tail -n +2` drops them, and `--ndjson` has none."),
  },
  { at: "list", typed: "--sort-by --order-by --orderby", means: "--sort=" },
  {
    at: "list table",
    typed: "--order --asc --desc --reverse",
    means: advice("Use --sort A for ascending and --sort -A for descending order, with `deedkit NOUN list`."),
  },
  { at: "list table", typed: "-c --fields --field --cols --column --select", means: "--columns=" },

  { at: "list count table", typed: "--filter --filters", means: condition, value: /^Name=/ },
  {
    at: "list count table",
    typed: "-w --filter --filters --selector --field-selector --condition",
    means: "--where=",
    value: /[=~<>]/,
  },
  {
    at: "list count table",
    typed: "-w --filter --filters --selector -l --condition --active --ended",
    means: condition,
  },
  {
    at: "list count table",
    typed: "--search -S --grep --text --title",
    means: advice("Use a condition: `--where 'title~loft'` or `--where city~athens`."),
  },
  {
    at: "list count",
    typed: "--since --after-date --newer --newer-than --until --from-date --to-date",
    means: since,
  },
  { at: "export", typed: "--until --newer --newer-than --from-date --to-date", means: since },
  { at: "list count table", typed: "--status --state", means: "status:" },
  { at: "list count table", typed: "--kind --type", means: "kind:" },
  { at: "list count table", typed: "--city", means: "city:" },
  { at: "list count table", typed: "--unit", means: "unit_label:" },
  { at: "list count table", typed: "--created", means: "created_at:" },
  { at: "list count table", typed: "--updated", means: "updated_at:" },

  {
    at: "export",
    typed: "-o --output --file --out-file --output-file --outfile --filename --to",
    means: "--out=",
  },
  {
    at: "export",
    typed: "--gzip --compress -z",
    means: advice("A name that ends in .gz or .zst is compressed: `deedkit export NOUN NOUN.csv.gz`."),
  },
  {
    at: "export",
    typed: "--delimiter --separator --sep -d",
    means: advice("`--for excel-eu` writes semicolons, `--format tsv` tabs."),
  },
  {
    at: "export",
    typed: "--append",
    means: advice(
      "A file is written whole: replace it with --overwrite, or keep a mirror with `deedkit sync`.",
    ),
  },
  {
    at: "export",
    typed: "-n",
    means: advice("An export writes all records: select some with --where. `--dry-run` sends nothing."),
    value: /^\d+$/,
  },
  {
    at: "export",
    typed: "-L --max --max-items",
    means: advice("An export writes all records: select some with --where."),
  },
  { at: "export", typed: "-n --dryrun --simulate --plan --check", means: "--dry-run" },
  {
    at: "export",
    typed: "-f",
    means: "--format=",
    value: /^(?:csv|tsv|xlsx|excel|json|ndjson|jsonl|parquet)$/i,
  },
  { at: "export", typed: "-f --force -y --yes --clobber --replace --no-clobber", means: overwrite },
  { at: "export", typed: "--format", means: "--format xlsx", value: /^excel$/i },
  { at: "export", typed: "--format", means: "--format ndjson", value: /^(?:jsonl|nl)$/i },
  { at: "export", typed: "--csv", means: "--format csv" },
  { at: "export", typed: "--tsv", means: "--format tsv" },
  { at: "export", typed: "--xlsx --excel", means: "--format xlsx" },
  { at: "export", typed: "--ndjson --jsonl", means: "--format ndjson" },
  { at: "export", typed: "--parquet", means: "--format parquet" },
  { at: "export", typed: "--tz --timezone", means: "--time-zone=" },
  {
    at: "export",
    typed: "--sort --sort-by",
    means: advice(
      "An export keeps the order of the service: sort in the spreadsheet, or with `deedkit NOUN list --sort A --format csv`.",
    ),
  },
  { at: "export", typed: "--all-profiles --all-accounts", means: "--all" },
  { at: "export", typed: "--continue", means: "--resume" },
  {
    at: "table",
    typed: "--since",
    means: advice(
      "Use a condition, `--where 'updated_at>=yesterday'`; `deedkit export report --from MIRROR --since 7d` lists changes.",
    ),
  },

  { at: "api", typed: "-X --method --request", means: "", value: /^get$/i },
  { at: "api", typed: "-X --method --request", means: readOnly },
  { at: "api", typed: "-f -F --field --raw-field -d --data", means: "--query=" },
  {
    at: "api",
    typed: "--paginate --limit",
    means: advice(
      "One request is one page: `--query limit=N`; `deedkit contracts list --all` reads all pages.",
    ),
  },

  { at: "sync", typed: "--all-profiles --all-accounts", means: "--all" },
  { at: "sync", typed: "-o --out --output --file --db --database", means: "--to=" },
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

const hasPlace = ({ at }: FlagHabit, places: ReadonlyArray<Place>): boolean =>
  at === "any" || places.some((place) => split(at).includes(place))

/** The rows for a flag in a place. */
const rowsOf = (flag: string, places: ReadonlyArray<Place>): ReadonlyArray<FlagHabit> =>
  flags.filter((row) => split(row.typed).includes(flag) && hasPlace(row, places))

/** Splits `--flag=value`, `-Lvalue` and `-L=value`; the value is null if it is not in the word. */
const parts = (word: string, places: ReadonlyArray<Place>): readonly [flag: string, value: string | null] => {
  const [, long, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  if (long !== undefined && value !== undefined) return [long, value]
  const [, short, attached] = /^(-[a-z])=?(.+)$/is.exec(word) ?? []
  if (short === undefined || attached === undefined || word.startsWith("--")) return [word, null]
  const isValued = rowsOf(short, places).some(({ means }) => typeof means === "string" && /[=:]$/.test(means))
  return isValued ? [short, attached] : [word, null]
}

const unknownFlag = (flag: string, path: ReadonlyArray<string>, { advice: text }: Advice): Failure =>
  usageError(
    `Unknown flag ${flag} for ${["deedkit", ...path.slice(0, path[0] === "api" ? 1 : 2)].join(" ")}`,
    text.replaceAll("NOUN", path.includes("keys") ? "keys" : "contracts"),
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
  const isKnown = (flag: string, value: string | undefined) =>
    rowsOf(flag, places).find(
      (row) => row.value === undefined || (value !== undefined && row.value.test(value)),
    )
  const written: Array<string> = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    const [flag, attached] = parts(word, places)
    const next = words[at + 1]
    const value = attached ?? (next?.startsWith("-") === true && next !== "-" ? undefined : next)
    const row = word.startsWith("-") ? isKnown(flag, value) : undefined
    if (row === undefined || (at < first && row.at !== "any")) {
      written.push(word)
      continue
    }
    const { means } = row
    if (typeof means !== "string") return unknownFlag(flag, path, means)
    const takesNext = attached === null && value !== undefined
    if (means.endsWith("=")) {
      written.push(value === undefined ? means.slice(0, -1) : `${means}${value}`)
      if (takesNext) at += 1
    } else if (means.endsWith(":")) {
      const column = means.slice(0, -1)
      if (value === undefined)
        return unknownFlag(flag, path, advice(`Use a condition: --where ${column}=VALUE.`))
      written.push("--where", /^[=!~<>]/.test(value) ? `${column}${value}` : `${column}=${value}`)
      if (takesNext) at += 1
    } else {
      if (means !== "") written.push(...split(means))
      if (row.value !== undefined && takesNext) at += 1
    }
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
  if (!Array.isArray(meant)) return result(plain, meant as Failure)
  const first = path[0] ?? 0
  const words = [
    ...plain.slice(0, first),
    ...(meant as ReadonlyArray<string>),
    ...plain.filter((_, at) => at >= first && !path.includes(at)),
  ]
  if (words.some((word) => word === "--help" || word === "-h")) {
    const isWholeHelp = words.includes("--all")
    return { ...result(isWholeHelp ? words.filter((word) => word !== "--all") : words, null), isWholeHelp }
  }
  const named = (meant as ReadonlyArray<string>).filter((word) => !word.startsWith("-"))
  const written = flagsOf(words, named, first + named.length)
  return Array.isArray(written) ? result(written, null) : result(words, written as Failure)
}

/** Advice for a word that a command does not take; null if there is none. */
export const argumentAdvice = (path: ReadonlyArray<string>): string | null => {
  const places = placesOf(path)
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
    const { means, typed } = row
    const isOwn =
      row.value === undefined &&
      typeof means === "string" &&
      /^--[a-z-]+=?$/.test(means) &&
      hasPlace(row, places)
    return isOwn ? split(typed).map((flag) => [flag, means.replace("=", "")] as const) : []
  })
  const known = [
    ...candidates.map((each) => [each, each] as const),
    ...(word.startsWith("-") ? synonyms : []),
  ]
  const wanted = word.toLowerCase().replace(/^--/, "")
  const most = wanted.length >= 7 ? 2 : 1
  let found: string | null = null
  let fewest = most + 1
  for (const [typed, meant] of known) {
    const other = typed.replace(/^--/, "")
    if (other.length < 3) continue
    const edits = editsBetween(wanted, other)
    if (edits < fewest) [found, fewest] = [meant, edits]
  }
  return found
}
