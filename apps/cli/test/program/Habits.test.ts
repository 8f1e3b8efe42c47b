/** What people type who know other programs, as they type it: each line works, or names what does. */
import { execFile } from "node:child_process"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bench, program } from "../harness/Cli.ts"
import type { Bench } from "../harness/Cli.ts"

/** A line for a shell, its exit code, and what it says on either stream. */
type Habit = readonly [line: string, code: number, says: RegExp]

const help = /USAGE/
const version = /^deedkit \d+\.\d+\.\d+\n/
const table = /^Contract +Status/
const oneContract = /^Contract +\d+\n/
const csv = /^Contract,Status/
const files = /^6 contracts in 1 page, .*complete\.\n[^]*: .*\d rows?/m
const dashboard = /read-only: .* in the service's dashboard/
const condition = /--where/
const jq = /--json \| jq/

const commands: ReadonlyArray<Habit> = [
  ["deedkit", 2, help],
  ["deedkit help", 0, help],
  ["deedkit help contracts", 0, /contracts list/],
  ["deedkit help export contracts", 0, /export contracts/],
  ["deedkit export help", 0, /export contracts/],
  ["deedkit contracts list help", 0, /contracts list/],
  ["deedkit help ls", 0, /contracts list/],
  ["deedkit man", 0, help],
  ["deedkit | head -1", 0, /DESCRIPTION/],
  ["deedkit version", 0, version],
  ["deedkit -V", 0, version],
  ["deedkit -v", 0, version],
  ["deedkit --version", 0, version],
  ["deedkit whoami", 0, /account/],
  ["deedkit status", 0, /Base URL/],
  ["deedkit auth whoami", 0, /Base URL/],
  ["deedkit login", 2, /no terminal to ask/],
  ["deedkit configure", 2, /no terminal to ask/],
  ["deedkit logout", 2, /log out/],
  ["deedkit auth token", 2, /never printed/],
  ["deedkit auth list", 0, /profile/i],
  ["deedkit listremotes", 0, /profile/i],
  ["deedkit profiles", 0, /profile/i],
  ["deedkit profile show", 0, /base URL/],
  ["deedkit profile rename a b", 2, /auth login --profile/],
  ["deedkit config list", 0, /base URL/],
  ["deedkit config set rate 3", 2, /doctor --save/],
  ["deedkit ls", 0, table],
  ["deedkit list", 0, table],
  ["deedkit get contracts", 0, table],
  ["deedkit list contracts", 0, table],
  ["deedkit contract ls", 0, table],
  ["deedkit contracts ls", 0, table],
  ["deedkit contracts ID", 0, oneContract],
  ["deedkit contract ID", 0, oneContract],
  ["deedkit contracts show ID", 0, oneContract],
  ["deedkit contracts view ID", 0, oneContract],
  ["deedkit contracts retrieve ID", 0, oneContract],
  ["deedkit describe contract ID", 0, oneContract],
  ["deedkit get contracts ID", 0, oneContract],
  ["deedkit view contract", 2, /Missing ID/],
  ["deedkit get api-keys", 0, /^Key +Name/],
  ["deedkit key ls", 0, /^Key +Name/],
  ["deedkit audit", 0, /finding|key/i],
  ["deedkit get /v1/me/", 0, /"ok"/],
  ["deedkit contracts delete ID", 2, dashboard],
  ["deedkit contract edit ID", 2, dashboard],
  ["deedkit delete contract ID", 2, dashboard],
  ["deedkit keys rotate ID", 2, dashboard],
  ["deedkit contracts search loft", 2, condition],
  ["deedkit search loft", 2, condition],
  ["deedkit contracts list loft", 2, condition],
  ["deedkit contracts export c1.csv", 0, files],
  ["deedkit export contract c2.csv", 0, files],
  ["deedkit export xlsx", 2, /export contracts contracts\.xlsx/],
  ["deedkit export list", 2, /contracts list/],
  ["deedkit export listings", 2, /no list of listings/],
  ["deedkit download", 2, /export contracts FILE/],
  ["deedkit verify old.csv", 0, /matches its manifest/],
  ["deedkit check old.csv", 0, /matches its manifest/],
  ["deedkit diff old.csv old.csv", 2, /sync changes/],
  ["deedkit report", 2, /--out report\.xlsx/],
  ["deedkit report march.xlsx", 0, files],
  ["deedkit sync other: m.sqlite", 2, /sync --to/],
  ["deedkit sync -o own.sqlite", 0, /complete/],
  ["deedkit status own.sqlite", 0, /^Account/],
  ["deedkit sync history own.sqlite", 2, /--since/],
  ["deedkit sql own.sqlite 'select 1'", 2, /sqlite3/],
  ["deedkit schedule export all", 2, /cron/],
  ["deedkit cron", 2, /cron/],
  ["deedkit open ID", 2, /contracts get/],
  ["deedkit listen", 2, /sync worker/],
  ["deedkit serve", 2, /deedkit mcp/],
  ["deedkit upgrade", 2, /npm install -g/],
  ["deedkit alias set x y", 2, /shell/],
  ["deedkit completion", 2, /--completions bash/],
  ["deedkit completions zsh | grep -c compdef", 0, /^[1-9]/],
  ["deedkit help help", 0, help],
  ["deedkit constructor", 2, /Unknown command "constructor"/],
  ["deedkit toString 7", 2, /Unknown command "toString"/],
  ["deedkit contracts __proto__", 2, /Unknown command "__proto__"/],
  ["deedkit get constructor", 2, /Unknown command "get"/],
  ["deedkit exprot all", 2, /Did you mean export\?/],
]

const lists: ReadonlyArray<Habit> = [
  ["deedkit contracts list -L 2", 0, table],
  ["deedkit contracts list -L2 | wc -l", 0, /^3\n/],
  ["deedkit contracts list -n 2 | wc -l", 0, /^3\n/],
  ["deedkit contracts list --max-items=2 | wc -l", 0, /^3\n/],
  ["deedkit contracts list --limit all | wc -l", 0, /^7\n/],
  ["deedkit contracts list --page 2", 2, /--all/],
  ["deedkit contracts list --offset=2", 2, /--all/],
  ["deedkit contracts list --json id,status --limit 1", 0, /"items": \[\n +\{\n +"id": \d+,\n +"status"/],
  ["deedkit contracts list --json=id --limit 1", 0, /"id": \d+\n/],
  ["deedkit contracts get ID --json id", 0, /"id": \d+\n/],
  ["deedkit contracts get ID -o json", 0, /"id": \d+,/],
  ["deedkit contracts list -o json", 0, /"items"/],
  ["deedkit contracts list --output=json", 0, /"items"/],
  ["deedkit contracts list --format json", 0, /"items"/],
  ["deedkit contracts list --format ndjson | head -1", 0, /^\{"id"/],
  ["deedkit contracts list --jsonl | head -1", 0, /^\{"id"/],
  ["deedkit contracts list --nl | head -1", 0, /^\{"id"/],
  ["deedkit contracts list --output table", 0, table],
  ["deedkit contracts list --format table", 0, table],
  ["deedkit contracts list --format csv", 0, csv],
  ["deedkit contracts list --csv", 0, csv],
  ["deedkit contracts list -o csv -c id,status | head -1", 0, /^Contract,Status\r\n/],
  ["deedkit contracts list --tsv | head -1", 0, /^Contract\tStatus/],
  ["deedkit contracts list -o list.csv", 2, /export contracts FILE/],
  ["deedkit contracts list > list.txt", 0, /A table was written\..*--format csv/],
  ["deedkit contracts list --yaml", 2, /--json/],
  ["deedkit contracts list --jq '.items[0].id'", 2, jq],
  ["deedkit contracts list -q '.[].id'", 2, jq],
  ["deedkit contracts list --query 'items[].id'", 2, jq],
  ["deedkit contracts list --raw", 2, jq],
  ["deedkit contracts list -q", 0, table],
  ["deedkit contracts list --silent", 0, table],
  ["deedkit contracts list --no-headers", 2, /tail -n \+2/],
  ["deedkit contracts list --no-color", 0, table],
  ["deedkit contracts list --color=never", 0, table],
  ["deedkit contracts list --color never", 0, table],
  ["deedkit --no-color contracts list", 0, table],
  ["deedkit contracts list --no-pager", 0, table],
  ["deedkit contracts list --status active", 0, table],
  ["deedkit contracts list --state=active", 0, table],
  ["deedkit contracts list --status", 2, /--where status=VALUE/],
  ["deedkit contracts list --city Athens", 0, table],
  ["deedkit contracts list --filter status=active", 0, table],
  ["deedkit contracts list --filter active", 2, condition],
  ["deedkit contracts list --selector status=active", 0, table],
  ["deedkit contracts list --search loft", 2, condition],
  ["deedkit contracts list --since yesterday", 2, /--where 'updated_at>=yesterday'/],
  ["deedkit contracts list --created '>2025-06-01'", 0, table],
  ["deedkit contracts list --sort-by=updated_at", 0, table],
  ["deedkit contracts list --order desc", 2, /--sort/],
  ["deedkit contracts list --count", 2, /contracts count/],
  ["deedkit contracts list -R office", 2, /--profile/],
  ["deedkit contracts list --retries 5", 2, /--attempts/],
  ["deedkit contracts get ID --web", 2, /no address of a page/],
  ["deedkit contracts get 9007199254740993", 2, /up to 9007199254740991/],
  ["deedkit contracts list --columns id --columns status", 2, /commas/],
  ["deedkit contracts list --force", 2, /^(?!.*Did you mean)/],
  ["deedkit contracts list --rows", 2, /^(?!.*Did you mean)/],
  ["deedkit contracts list --colour-scheme", 2, /^(?!.*Did you mean)/],
  ["deedkit contracts list --colums id", 2, /Did you mean --columns\?/],
]

const selections: ReadonlyArray<Habit> = [
  ["deedkit count", 0, /^6\n/],
  ["deedkit contracts count", 0, /^6\n/],
  ["deedkit keys count --by revoked", 0, /^Revoked +Count\n/],
  ["deedkit contracts count --by status,city", 0, /^Status +City +Count\n/],
  ["deedkit stats", 0, /^Status +Count\n/],
  ["deedkit contracts count --json --by kind", 0, /"count": 6,[^]*"records": \d/],
  ["deedkit contracts count --by staus", 2, /Did you mean "status"/],
  ["deedkit contracts count --where id=1 --fail-on-empty", 12, /^0\n/],
  ["deedkit contracts count --where status=active,draft,ended,on_hold", 0, /^6\n/],
  ["deedkit contracts count --where 'status in (active, draft, ended, on_hold)'", 0, /^6\n/],
  ["deedkit contracts count --where \"status in ('active','draft','ended','on_hold')\"", 0, /^6\n/],
  ["deedkit contracts count --where 'status not in active,draft,ended,on_hold'", 0, /^0\n/],
  ["deedkit contracts count --where 'id is not null'", 0, /^6\n/],
  ["deedkit contracts count --where 'created_at between 2000 and 2100'", 0, /^6\n/],
  ["deedkit contracts count --where created_at=2000..2100", 0, /^6\n/],
  ["deedkit contracts count --where created_at=..2000", 0, /^0\n/],
  ["deedkit contracts count --where 'created_at<yesterday'", 0, /^6\n/],
  ["deedkit contracts count --where 'updated_at>7d'", 0, /^0\n/],
  ["deedkit contracts count --where 'updated_at>last week'", 2, /it takes a date or time/],
  ["deedkit contracts list --where status=x", 0, /No contract has status "x"\. Values seen/],
  ["deedkit export contracts none.csv --where status=x --quiet", 0, /No contract has status "x"/],
  ["deedkit export contracts none2.csv --where id=1 --fail-on-empty --quiet", 12, /No contract has id "1"/],
  ["deedkit export contracts none3.csv --where 'updated_at>1d' -q", 0, /No contract meets the conditions/],
]

const exports: ReadonlyArray<Habit> = [
  ["deedkit export contracts e1.xlsx", 0, files],
  ["deedkit export contracts e2.csv e2.ndjson", 0, files],
  ["deedkit export contracts -o e3.xlsx", 0, files],
  ["deedkit export contracts -oe4.csv", 0, files],
  ["deedkit export contracts --output e5.xlsx", 0, files],
  ["deedkit export contracts --file=e6.csv", 0, files],
  ["deedkit export contracts -f csv -o e7", 0, files],
  ["deedkit export contracts --format excel --out e8.xlsx", 0, files],
  ["deedkit export contracts --xlsx --out e9", 0, files],
  ["deedkit export contracts -v --out e10.xlsx", 0, /GET \/v1\/contracts[^]*e10\.xlsx: 6 rows/],
  ["deedkit -v export contracts --out e11.xlsx", 0, /GET \/v1\/contracts[^]*e11\.xlsx: 6 rows/],
  ["deedkit export contracts --debug --out e12.xlsx", 0, /GET \/v1\/contracts/],
  ["deedkit export contracts -q -o e13.csv && ls e13.csv", 0, /^e13\.csv\n$/],
  ["deedkit export contracts e14.csv -n && ls e14.csv", 2, /requests? a second/],
  ["deedkit export contracts e15.csv -n 5", 2, /--where/],
  ["deedkit export contracts e16.csv -L 5", 2, /--where/],
  ["deedkit export contracts old.csv", 10, /--overwrite/],
  ["deedkit export contracts old.csv -f", 2, /--overwrite/],
  ["deedkit export contracts old.csv --force", 2, /--overwrite/],
  ["deedkit export contracts old.csv -y", 2, /--overwrite/],
  ["deedkit export contracts --tz Europe/Athens -o e17.csv", 0, files],
  ["deedkit export contracts --progress e18.csv", 0, files],
  [
    "deedkit export contracts --log-file x.log -q e19.csv && tail -n 1 x.log",
    0,
    /"event":"ended","exitCode":0/,
  ],
  ["deedkit export contracts --status active e20.csv", 0, files],
  ["deedkit export contracts --since yesterday e21.csv", 2, /--where 'updated_at>=yesterday'/],
  ["deedkit export contracts --sort id e22.csv", 2, /order of the service/],
  ["deedkit export contracts e23.csv --all-profiles", 2, /--profile/],
  ["deedkit export contracts e24.csv --profile a --profile b", 2, /2 times.*--profile NAME/],
  ["deedkit export contracts --csv > e25.csv", 2, /--out -/],
  ["deedkit export contracts --csv --out - | head -1", 0, csv],
  ["deedkit export contracts --ouput e26.csv", 2, /Did you mean --out\?/],
  ["deedkit export --format csv contracts", 2, /follows the whole command/],
  ["deedkit export all", 2, /--out everything\.xlsx/],
  ["deedkit export contracts -- e27.csv", 0, files],
]

let it6: Bench
/** The id of a contract. */
let id: string

const run = (line: string) =>
  new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
    const { env, folder } = { env: process.env, folder: it6.folder }
    const variables = {
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, ".config"),
      PATH: `${join(folder, "bin")}:${env["PATH"] ?? ""}`,
      DEEDKIT_BASE_URL: it6.url,
      DEEDKIT_API_KEY: it6.emulator.apiKey,
    }
    const child = execFile("sh", ["-c", line], { cwd: folder, env: variables }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` })
    })
    child.stdin?.end()
  })

beforeAll(async () => {
  it6 = await bench({ contracts: 6 })
  await mkdir(join(it6.folder, "bin"))
  const script = join(it6.folder, "bin", "deedkit")
  await writeFile(script, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(script, 0o755)
  await run("deedkit export contracts old.csv")
  id =
    /^\d+$/m.exec(
      (await run("deedkit contracts list --ndjson | sed 's/^{\"id\":\\([0-9]*\\).*/\\1/'")).said,
    )?.[0] ?? ""
})
afterAll(() => it6[Symbol.asyncDispose]())

describe.each([
  ["commands", commands],
  ["lists", lists],
  ["selections", selections],
  ["exports", exports],
])("%s as people type them", (_, habits) => {
  it.each(habits)("%s", async (line, code, says) => {
    const ended = await run(line.replaceAll("ID", id))
    expect(ended.said).toMatch(says)
    expect(ended.code).toBe(code)
  })
})
