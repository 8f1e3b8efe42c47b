/**
 * What people type who know other programs. Each entry of these tables is rewritten to this program's own words, or refused with the words that do it
 * here. A line is rewritten only if it can mean one thing and destroys nothing; otherwise it gets advice. `Translate` applies them. Pure.
 */

/**
 * What words mean here: words of this program, or advice, which is a sentence and ends with a full stop. In it `NOUN` stands for contracts or keys.
 */
export type Meaning = string

export const isAdvice = (meaning: Meaning): boolean => meaning.endsWith(".")

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
const read = "deedkit only reads, so there is nothing to try: run the command."
const exportAll = "`deedkit export contracts FILE` exports contracts, `deedkit export all FILE` everything."
const format = "The name of the file says the format: `deedkit export NOUN NOUN.xlsx`."
const again = "`deedkit sync --to mirror.sqlite --every 24h` reads again every day, until Ctrl-C."
const whole = "A sync reads whole lists and stores what changed: run it again."
const mirror = "Records come from the service; `--from mirror.sqlite` reads a mirror of `deedkit sync`."
const login = "`deedkit auth login --profile NAME` saves an address and a key."
const certificates =
  "Certificates are always verified: name the file of an authority of your own in the variable NODE_EXTRA_CA_CERTS."
const since =
  "Use a condition: `--where 'updated_at>=yesterday'`, `--where 'created_at>7d'` or `--where created_at=2025-06..2025-08`."

/** A table from rows of words, separated by commas, and their meaning. */
const byWords = (rows: ReadonlyArray<readonly [words: string, meaning: Meaning]>) =>
  new Map(rows.flatMap(([words, meaning]) => words.split(", ").map((each) => [each, meaning] as const)))

/** Commands by their first words; two words apply before one. */
export const commands = byWords([
  ["login, signin, configure, init, setup", "auth login"],
  [
    "configure list, settings, profile show, profile current, profile which, profile export, config list, config show, config view, config ls, config file, config path, config dir, config export, config current-context, env, info",
    "config explain",
  ],
  [
    "configure list-profiles, profiles list, profiles, accounts list, account list, account ls, auth list-accounts, listremotes, accounts, auth list, auth ls, profile ls, config get-contexts",
    "profile list",
  ],
  ["configure get, config get", "`deedkit config explain` shows every setting and where it comes from."],
  [
    "configure set, config set, config edit, config unset, config reset",
    "`deedkit auth login` saves address and key, `deedkit profile use NAME` chooses a profile, `deedkit doctor --save` saves what it finds.",
  ],
  ["logout, auth remove, auth rm, auth delete", "auth logout"],
  [
    "status, auth whoami, auth test, auth check, auth verify, auth show, auth info, cluster-info",
    "auth status",
  ],
  ["whoami, ping, about, health, healthcheck, account show, sts get-caller-identity", "me"],
  ["ls, list, lsd, lsl, lsf, contracts head, contracts latest", "contracts list"],
  ["lsjson", "contracts list --json"],
  ["contracts", "contracts"],
  ["count, size, contracts total, contracts number, contracts size", "contracts count"],
  ["stats, summary, contracts stats, contracts status, contracts summary", "contracts count --by status"],
  ["contracts group-by, contracts distinct, contracts group", "contracts count --by"],
  ["contracts export, contracts save, export contract", "export contracts"],
  ["export everything, export both", "export all"],
  ["contracts audit, audit, keys check, keys test, keys verify, keys expired, keys unused", "keys audit"],
  ["keys export, export key, export api-keys", "export keys"],
  ["verify, check, export check", "export verify"],
  ["report", "export report"],
  [
    "switch, use, auth switch, profile switch, profile default, profile set, profile select, account set, account use, auth activate, config use-context",
    "profile use",
  ],
  ["diagnose, test, config doctor, config validate, config check", "doctor"],
  ["changes, history, log, sync history, sync log, sync diff", "sync changes"],
  ["mirror, sync run, sync now, sync pull, sync start, sync init, sync create", "sync"],
  ["worker", "sync worker"],
  ["man, commands", "--help"],
  ["version", "--version"],
  ["completion bash", "--completions bash"],
  ["completion zsh", "--completions zsh"],
  ["completion fish", "--completions fish"],
  ["completion powershell", "--completions powershell"],
  [
    "completion, genautocomplete, autocomplete",
    "`deedkit --completions bash` prints the script; also zsh, fish and powershell.",
  ],
  ["auth token, auth key, auth print-access-token, auth export, token", secret],
  ["auth add, auth set-key, auth import, auth set", login],
  ["auth refresh", "A key has no session to refresh: `deedkit auth login` saves a new one."],
  ["profile rm, profile delete", "profile remove"],
  ["profile add, profile create, profile new, profile edit, config create, config init", login],
  [
    "profile rename",
    "Log in under the new name, `deedkit auth login --profile NEW`, then `deedkit profile remove OLD`.",
  ],
  [
    "export diff, diff, compare",
    "Two files are not compared: `deedkit sync changes MIRROR --since 7d` says what changed.",
  ],
  [
    "contracts diff, contracts changes, contracts history, contracts log, contracts versions",
    "A mirror keeps the history: `deedkit sync changes mirror.sqlite --since 7d`, after `deedkit sync --to mirror.sqlite`.",
  ],
  ["export list", "`deedkit contracts list` lists contracts, `deedkit export contracts FILE` exports them."],
  [
    "export listings, listings, listing",
    "The service has no list of listings: contracts name theirs, in the columns listing.title and listing.city.",
  ],
  [
    "export csv, export xlsx, export excel, export json, export ndjson, export parquet, csv, xlsx, excel, json, parquet, contracts csv, contracts xlsx, contracts excel, contracts json, contracts to-csv, keys csv, keys xlsx",
    format,
  ],
  ["sync check", "sync verify"],
  ["sync list", "sync status"],
  [
    "pdf, export pdf, contracts pdf",
    "`deedkit export contracts contracts.xlsx --pdf` prints a workbook to a PDF, with LibreOffice.",
  ],
  [
    "download, dump, copy, copyto, save, print, contracts dump, contracts download, contracts print",
    exportAll,
  ],
  [
    "clone, pull, fetch, contracts sync, contracts mirror, contracts backup, contracts pull, contracts clone, contracts copy",
    copies,
  ],
  [
    "columns, fields, schema, contracts columns, contracts fields, contracts schema, keys columns",
    "A heading or an API name chooses a column: `deedkit NOUN list --columns id,status`. A wrong name lists them all.",
  ],
  ["get, show, view, describe, inspect, cat", "Say of what: `deedkit contracts get ID`."],
  [
    "backup, sync export",
    "`deedkit export all FILE` exports everything, `deedkit sync --to FILE` keeps a mirror.",
  ],
  ["browse, open", noPage],
  ["listen, watch, events, trigger, tail, monitor, webhooks, contracts tail", noEvents],
  [
    "logs, debug, trace",
    "`deedkit doctor` checks the server, and --verbose shows every request of a command.",
  ],
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
  ["mcp serve, mcp start, mcp run", "mcp"],
  ["mcp add, mcp config, mcp setup", "mcp install"],
  [
    "mcp list, mcp tools, mcp inspect, mcp status",
    "The assistant lists the tools: `deedkit mcp install CLIENT` prints its configuration.",
  ],
  [
    "sql, query, sync query, sync sql, shell, repl, console",
    "A mirror is SQLite: `sqlite3 mirror.sqlite`, after `deedkit sync --to mirror.sqlite`.",
  ],
  [
    "cron, crontab, timer, daemon, service",
    "`deedkit schedule export all --out all.xlsx` prints what runs that every night.",
  ],
  ["search, find, grep, filter, where, contracts filter, contracts query, contracts where", search],
  [
    "contracts sort, contracts order, contracts first, contracts last, contracts top, contracts newest, contracts recent",
    "Use --sort and --limit: `deedkit contracts list --sort -updated_at --limit 10`.",
  ],
  ["contracts select", "Choose columns: `deedkit contracts list --columns id,status`."],
  ["sync stop, sync daemon, sync watch", again],
  [
    "sync reset, sync delete, sync clean, sync gc, sync vacuum, sync clear",
    "`deedkit sync prune` removes old history, `deedkit sync forget` an account; without its file a mirror is gone.",
  ],
  ["sync restore", "`deedkit sync backup BACKUP MIRROR` restores: a backup is a mirror."],
  ["sync add", login],
  ["sync remove", "`deedkit sync forget MIRROR ACCOUNT` removes an account with its history."],
  ["sync accounts, sync show, sync info", "sync status"],
  ["sync retry", "sync --failed"],
  [
    "docs, documentation, manual, guide, tutorial, quickstart, examples",
    "`deedkit help COMMAND` has examples, and `deedkit demo` makes files without an account.",
  ],
  [
    "bug, feedback, support, issue, issues",
    "`deedkit doctor` finds most faults; `--debug-bundle FILE` of any command writes what a report needs.",
  ],
  ["cache", "Nothing is cached: every command reads the service, or the mirror of --from."],
  ["request, curl, call, http, rest", "api"],
  ["post, put, patch, apply, push, create, delete, add, new, edit, rm, remove, import, upload", readOnly],
])

export const nouns = byWords([
  ["contract, contracts", "contracts"],
  ["key, keys, api-key, api-keys, apikey, apikeys, api_keys, tokens", "keys"],
])

/** Verbs before or after a noun. */
export const verbs = byWords([
  ["list, ls, all", "list"],
  ["get, view, show, describe, retrieve, read, cat, inspect, info, details, display, fetch, lookup", "get"],
  ["search, find, grep", search],
  [
    "create, new, add, edit, update, set, patch, apply, delete, remove, rm, revoke, rotate, import, upload, sign, send, cancel, approve, renew, extend, terminate, end, archive",
    readOnly,
  ],
  ["open, browse", noPage],
  ["watch, wait, tail", noEvents],
])

/** Kinds of commands that take the same flags; `table` are exports of one table. */
export type Place =
  | "list"
  | "count"
  | "get"
  | "export"
  | "table"
  | "sync"
  | "api"
  | "login"
  | "mcp"
  | "mirror"
  | "other"

/**
 * A flag of other programs.
 *
 * - `at`: kinds of commands, separated by spaces; `any` for all.
 * - `typed`: the flags, separated by spaces.
 * - `means`: the own flag. With `=` at its end it takes the value; with nothing the flag is ignored. With `:` at its end it is a column, with or without
 *   an operator, and the value makes it a condition.
 * - `value`: the values for which this holds. A switch then takes the value away.
 */
export type FlagHabit = readonly [at: string, typed: string, means: Meaning, value?: RegExp]

const form = "--format -o --output -f --as --out-format --output-format"

/** Flags of other programs. The first row that holds decides. */
export const flags: ReadonlyArray<FlagHabit> = [
  ["any", "-v -vv -vvv --debug --trace", "--verbose"],
  ["any", "-V", "--version"],
  ["any", "-? --usage", "--help"],
  ["list get api", "-q", jq, /^[.[]/],
  ["api", "-q", "--query=", /=/],
  ["mirror", "-s", "--since="],
  ["any", "-q -s --silent", "--quiet"],
  ["any", "-p", "--profile="],
  ["any", "--url --host --hostname --server --endpoint --endpoint-url --api-url", "--base-url="],
  ["any", "--no-pager --no-cli-pager --progress -P --interactive", ""],
  ["list", "-n", profile, /^(?!all$)[a-z]/i],
  ["list count get", "--mirror --db --database", "--from="],
  ["list count get table", "--offline --cache --no-cache --cached", mirror],
  ["list count get", "--dry-run", read],
  ["any", "-R --repo --user --tenant --context --namespace --region -A --all-namespaces", profile],
  ["any", "--tpslimit --qps --rps --max-rps --rate-limit", "--rate="],
  [
    "any",
    "--transfers --checkers --bwlimit --parallel --threads --jobs",
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
  [
    "list count get export sync api",
    "--key-file",
    "Save it: `deedkit auth login --key-file FILE`; or name it in DEEDKIT_API_KEY_FILE.",
  ],
  ["other", "-y --yes", ""],
  ["other", "--format", "--json", /^json$/i],
  ["other", "--jq", "Pipe JSON to jq: `deedkit me --json | jq .account`."],
  ["mirror", "--mirror --from --to --db", ""],
  ["mirror", "--older-than --keep", "--before="],
  ["any", "--help-all --examples", "--help"],
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
  ["list", "--limit -L -n", "--all", /^(?:all|unlimited|none|max|inf(?:inity)?)$/i],
  ["table", "--columns", "", /^(?:all|\*)$/i],
  ["list", "--columns", "`--format csv` has all columns, and `--columns ,` names them.", /^all$/i],
  ["list", "--unused", "`deedkit keys audit` finds keys that are unused, old or have many scopes."],
  [
    "list",
    "--all-profiles --all-accounts",
    "Exports and syncs take several accounts: `deedkit export NOUN NOUN.xlsx --all`.",
  ],
  ["get", "--id --ids", ""],
  [
    "get",
    "--format --columns --fields --csv",
    "A list has columns and formats: `deedkit NOUN list --where id=ID --format csv --columns id,status`.",
  ],
  [
    "count",
    "--format --csv",
    "--json prints the counts for other programs; a file of records is `deedkit export NOUN FILE`.",
  ],
  [
    "count",
    "--sort --top --percent",
    "The largest group comes first; `deedkit NOUN count --by A --json` gives them to other programs.",
  ],
  ["count", "--total --sum", ""],
  ["list", "-L -n --max --max-items --max-results --head --top --first --per-page", "--limit="],
  ["list", "--count", "`deedkit NOUN count` counts them; with `--by A,B` in groups."],
  [
    "list",
    "--summary --stats --group-by --distinct --by --group",
    "`deedkit NOUN count --by A,B` counts them in groups.",
  ],
  ["count", "--group-by --group --distinct", "--by="],
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
  [
    "list count table",
    "-w --filter --filters --selector -l --condition --active --ended --rental --rent --sale --draft",
    condition,
  ],
  [
    "list count table",
    "--search -S --grep --text --title",
    "Use a condition: `--where 'title~loft'` or `--where city~athens`.",
  ],
  ["list count table", "--created-after --created-since --created-from", "created_at>=:"],
  ["list count table", "--created-before --created-until", "created_at<:"],
  ["list count table", "--updated-after --updated-since --modified-since --updated-from", "updated_at>=:"],
  ["list count table", "--updated-before --updated-until", "updated_at<:"],
  [
    "list",
    "--last --tail --latest --recent",
    "Use --sort and --limit, such as `--sort -updated_at --limit 5`.",
    /^\d*$/,
  ],
  [
    "list count export",
    "--period --date --day --month --year --between --today --yesterday --last --latest --recent --days",
    since,
  ],
  ["list count", "--since --after-date --newer --newer-than --until --from-date --to-date --to", since],
  ["export", "--until --newer --newer-than --from-date --to-date", since],
  ["list count table", "--status --state", "status:"],
  ["list count table", "--kind --type", "kind:"],
  ["list count table", "--city", "city:"],
  ["list count table", "--unit", "unit_label:"],
  ["list count table", "--id --ids", "id:"],
  ["list count table", "--listing --listing-id", "listing_id:", /^\d/],
  ["list count table", "--listing", "listing.title~:"],
  ["list count table", "--unit-id", "unit_id:"],
  ["list count table", "--template-id --template", "template_id:", /^\d/],
  ["list count table", "--area", "listing.area:"],
  ["list count table", "--slug", "listing.slug:"],
  ["list count table", "--name", "name:"],
  ["list count table", "--scope --scopes", "scopes~:"],
  ["list count table", "--revoked --expired", "Use a condition: `deedkit keys list --where revoked=yes`."],
  ["list count table", "--created", "created_at:"],
  ["list count table", "--updated", "updated_at:"],
  ["export", "-o --output --file --out-file --output-file --outfile --filename --to", "--out="],
  [
    "export",
    "--gzip --compress -z",
    "A name that ends in .gz or .zst is compressed: `deedkit export NOUN NOUN.csv.gz`.",
  ],
  [
    "table",
    "-t --table",
    "The table is the command: `deedkit export contracts FILE` or `deedkit export keys FILE`.",
  ],
  ["export", "--google-sheets --google", "There is no form of CSV for it: leave the flag out."],
  ["export", "--excel-eu", "--for excel-eu"],
  ["export", "--stdout", "--out -"],
  ["export", "--with-data --include-data", "--data"],
  ["export", "--include", "--data", /^data$/],
  ["export", "--all-columns", ""],
  ["export", "--batch-size", "--page-size="],
  [
    "export",
    "--dir --directory --output-dir --out-dir",
    "Name a file in the folder: `deedkit export NOUN FOLDER/NOUN.xlsx`.",
  ],
  ["export", "--format", "Repeat it for several formats, such as `--format csv --format xlsx`.", /,/],
  [
    "export",
    "--verify --checksum",
    "A manifest with checksums is beside each file: `deedkit export verify FILE` checks it.",
  ],
  ["export", "--for", "--for libreoffice", /^(?:libre|openoffice|calc)$/i],
  ["export", "--for", "--for excel-eu", /^(?:german|germany|de|eu|europe|excel-de)$/i],
  [
    "export",
    "--for",
    "There is no form of CSV for them: leave --for out.",
    /^(?:google|g?sheets?|google-sheets|numbers|apple)$/i,
  ],
  [
    "export",
    "--locale --decimal --quote --escape --line-ending --eol",
    "--for says what a CSV is for: excel, excel-eu or libreoffice; the default is RFC 4180.",
  ],
  [
    "export",
    "--date-format",
    "--for says how a CSV writes dates, ISO 8601 by default; --time-zone says in which zone.",
  ],
  [
    "export",
    "--no-header --no-headers --header --no-heading",
    "Headings stay; --headers api names columns as the API does.",
  ],
  [
    "export",
    "--sheet --template --password --null",
    "A workbook has its own sheets and layout, without a password; `deedkit export report` has the summaries.",
  ],
  [
    "export",
    "--email --mail --upload",
    "Files stay on this machine: `--ping URL` tells a monitor that an export ended.",
  ],
  ["export", "--split --chunk-size --chunk", "--split-by A writes one file for each value of a column."],
  [
    "export",
    "--weekly --monthly --daily --cron",
    "`deedkit schedule export NOUN FILE` prints what runs it every night.",
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
  ["list", "--delimiter --separator --sep", "`--format csv` writes commas, `--format tsv` tabs."],
  ["api", "-o --output", "Redirect it: `deedkit api PATH > FILE`."],
  ["api", "--cache", "Nothing is cached: every request is sent."],
  ["api", "-X --method --request", "", /^get$/i],
  ["api", "-X --method --request", readOnly],
  ["api", "-f -F --field --raw-field -d --data", "--query="],
  [
    "api",
    "--paginate --limit",
    "One request is one page: `--query limit=N`; `deedkit contracts list --all` reads all pages.",
  ],
  ["sync", "--interval", "--every="],
  ["sync", "--every", "--every 24h", /^(?:daily|nightly|day)$/i],
  ["sync", "--every", "--every 1h", /^(?:hourly|hour)$/i],
  ["sync", "--watch --daemon -d --follow --continuous", again],
  ["sync", "--full --force --incremental --refresh", whole],
  ["sync", "-n --dry-run", read],
  [
    "mcp",
    "--http --port --sse --host",
    "An assistant starts deedkit and talks to it by standard input: `deedkit mcp install CLIENT`.",
  ],
  ["sync", "--mirror --path", "--to="],
  ["sync", "--all-profiles --all-accounts", "--all"],
  ["sync", "-o --out --output --file --db --database", "--to="],
]

/** Schedulers that `schedule` writes for. */
export const schedulers = ["systemd", "cron", "launchd", "windows", "github"] as const

/** The schedulers, by their names and those of what they run. */
export const schedulerNames: ReadonlyMap<string, (typeof schedulers)[number]> = new Map([
  ...schedulers.map((name) => [name, name] as const),
  ["systemd-timer", "systemd"],
  ["crontab", "cron"],
  ["mac", "launchd"],
  ["macos", "launchd"],
  ["win", "windows"],
  ["schtasks", "windows"],
  ["github-actions", "github"],
  ["actions", "github"],
])
