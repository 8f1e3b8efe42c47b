/**
 * A night as people would write it themselves: a loop over the accounts that parses each page and overwrites the stored rows, with one transaction
 * per page. It keeps no history, notices no removals, proves nothing and cannot resume. Arguments: as `night.ts`.
 */
import http from "node:http"
import { DatabaseSync } from "node:sqlite"
import { start } from "./measure.ts"

const [mirror = "", baseUrl = "", accounts = "1", page = "100"] = process.argv.slice(2)

interface Answer {
  readonly items: ReadonlyArray<{ readonly id: number }>
  readonly next_before_id: number | null
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
const get = (path: string, key: string) =>
  new Promise<Answer>((resolve, reject) => {
    http
      .get(baseUrl + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", reject)
        response.once("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))))
      })
      .once("error", reject)
  })

const print = start()
const db = new DatabaseSync(mirror)
db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table if not exists record (account text, list text, id integer, body text, primary key (account, list, id)) without rowid`)
const write = db.prepare("insert or replace into record values (?, ?, ?, ?)")
let records = 0
let next = 0
const work = async (): Promise<void> => {
  while (next < Number(accounts)) {
    const account = `account-${next++}`
    for (const list of ["contracts", "api-keys"]) {
      let cursor: number | null = null
      do {
        const before: string = cursor === null ? "" : `&before_id=${cursor}`
        const answer: Answer = await get(`/v1/${list}/?limit=${page}${before}`, `key-${account}`)
        db.exec("begin")
        for (const item of answer.items) write.run(account, list, item.id, JSON.stringify(item))
        db.exec("commit")
        records += answer.items.length
        cursor = answer.next_before_id
      } while (cursor !== null)
    }
  }
}
await Promise.all(Array.from({ length: 8 }, work))
db.close()
agent.destroy()
print({ records })
