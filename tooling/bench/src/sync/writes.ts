/** Counts what a night writes into the file of a mirror, using the database itself. */
import { DatabaseSync } from "node:sqlite"

/** Starts counting writes to a mirror with triggers in the file: rows that are new or changed, and rows that are removed. */
export const watchWrites = (mirror: string): void => {
  const db = new DatabaseSync(mirror)
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    .all()
  db.exec("create table written (kind text)")
  for (const { name } of tables)
    for (const kind of ["insert", "update", "delete"])
      db.exec(
        `create trigger ${String(name)}_${kind} after ${kind} on ${String(name)} begin insert into written values ('${kind}'); end`,
      )
  db.close()
}

/** The counts since `watchWrites`, and the number of pages of the night. */
export const writesOf = (mirror: string) => {
  const db = new DatabaseSync(mirror, { readOnly: true })
  const number = (sql: string): number => Number(Object.values(db.prepare(sql).get() ?? {})[0])
  const written = number("select count(*) from written where kind <> 'delete'")
  const removed = number("select count(*) from written where kind = 'delete'")
  const pages = number("select sum(pages) from (select pages from sync_run order by run desc limit 2)")
  db.close()
  return { written, removed, pages }
}
