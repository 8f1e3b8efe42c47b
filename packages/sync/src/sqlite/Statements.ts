/** The statements of a mirror, prepared once. Those of the two lists of records are in `Records`. */
import type { DatabaseSync } from "node:sqlite"
import * as Records from "./Records.ts"

/** The account names in a table. Each is found from the one before through the table's index, because most names have many rows. */
const namesIn = (table: string): string => `${table}_names (account) as (
  select min(account) from ${table}
  union all
  select (select min(account) from ${table} where account > found.account) from ${table}_names as found where account is not null
)`

const ofAccounts = ["contract", "contract_history", "api_key", "api_key_history", "sync_run"]

/** The accounts, and the names of accounts whose own row is gone while other rows still exist. */
const owners = `
  with recursive ${ofAccounts.map(namesIn).join(", ")}
  select * from (
    select account from account ${ofAccounts.map((table) => `union select account from ${table}_names`).join(" ")}
  ) left join account using (account) where account is not null order by account`

/** Prepares all statements of a mirror. */
export const prepared = (db: DatabaseSync) => ({
  records: {
    contracts: Records.make(db, "contracts"),
    "api-keys": Records.make(db, "api-keys"),
  },
  account: db.prepare("select * from account where account = ?"),
  accounts: db.prepare("select * from account order by account"),
  owners: db.prepare(owners),
  addAccount: db.prepare(
    "insert into account (account, base_url, added_at) values (?, ?, ?) on conflict do nothing",
  ),
  own: db.prepare(
    "update account set base_url = ?, key_fingerprint = ?, identity = coalesce(?, identity) where account = ?",
  ),
  twin: db.prepare("select account from account where key_fingerprint = ? and base_url = ? and account <> ?"),
  note: db.prepare("update account set problem = ?, problem_at = ? where account = ?"),
  clear: db.prepare("update account set problem = null, problem_at = null where account = ?"),
  forget: [
    "delete from sync_page where run in (select run from sync_run where account = ?)",
    "delete from sync_run where account = ?",
    "delete from account where account = ?",
  ].map((sql) => {
    const statement = db.prepare(sql)
    return (account: string): number => Number(statement.run(account).changes)
  }),
  running: db.prepare("select * from sync_run where account = ? and collection = ? and state = 'running'"),
  runs: db.prepare("select * from sync_run where account = ? and collection = ? order by run"),
  firstRun: db.prepare(
    "select min(run) as run from sync_run where account = ? and collection = ? and state = 'finished'",
  ),
  runSince: db.prepare(
    "select run from sync_run where account = ? and collection = ? and ended_at >= ? order by run limit 1",
  ),
  previous: db.prepare(
    "select * from sync_run where account = ? and collection = ? and run < ? and state <> 'running' order by run desc limit 1",
  ),
  addRun: db.prepare("insert into sync_run (account, collection, started_at, ended_at) values (?, ?, ?, ?)"),
  resume: db.prepare("update sync_run set resumed_at_page = pages where run = ?"),
  abandon: db.prepare(
    "update sync_run set state = 'abandoned', checkpoint = null, previous = ? where run = ?",
  ),
  fence: db.prepare(
    `update sync_run set pages = pages + 1, records = :records, requests = :requests, started_at = :startedAt, ended_at = :endedAt,
       rejected = rejected + :rejected, without_data = without_data + :withoutData, added = added + :added, changed = changed + :changed, returned = returned + :returned,
       checkpoint = :checkpoint
     where run = :run and pages = :page and state = 'running'`,
  ),
  addPage: db.prepare("insert into sync_page (run, page, ids) values (?, ?, ?)"),
  dropPages: db.prepare("delete from sync_page where run = ?"),
  finish: db.prepare(
    `update sync_run set state = 'finished', checkpoint = null, started_at = :startedAt, ended_at = :endedAt,
       records = case when resumed_at_page = 0 then :records else min(:records,
         (select count(distinct each.value) from sync_page, json_each(sync_page.ids) as each where sync_page.run = :run)) end,
       requests = :requests, cursor_parameter = :cursorParameter, cursor_state = :cursorState, cursor_evidence = :cursorEvidence,
       completeness = :completeness, reason = :reason, readings = :readings, removed = :removed, unlisted = :unlisted, previous = :previous
     where run = :run and pages = :pages and state = 'running' returning *`,
  ),
})

export type Statements = ReturnType<typeof prepared>
