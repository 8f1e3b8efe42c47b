import { readList } from "./internal/envelope.ts"
import * as drift from "./internal/drift.ts"
import * as Contract from "./Contract.ts"
import { Walk } from "./internal/Walk.ts"
import { contracts } from "./ServiceRequest.ts"
const [url = "", what = ""] = process.argv.slice(2)
const texts: string[] = []
let c: any = null
do {
  const t = await (await fetch(url + "/v1/contracts/" + (c === null ? "" : `?before_id=${c}`))).text()
  texts.push(t)
  c = /"next_before_id":(\w+)/.exec(t.slice(-40))![1]
  if (c === "null") c = null
} while (c !== null)
const model: any = {
  is: what.includes("i") ? Contract.isContract : (x: any) => true,
  issues: Contract.issues,
  hasOpenMembers: what.includes("h") ? drift.hasOpenContractMembers : () => false,
  observe: what.includes("o") ? drift.contracts(() => {}) : () => {},
  updatedAt: (c: any) => c.updated_at,
}
const run = readList(contracts, model)
const walk = new Walk<any>({
  collection: contracts,
  cursorParam: "before_id",
  limit: null,
  onInvalid: "fail",
  maxPages: 1e9,
  origin: "",
  keyFingerprint: "",
  startedAt: Date.now(),
  from: null,
  emit: () => {},
})
let sent: any = null
const t = process.cpuUsage()
for (const text of texts) {
  const body = JSON.parse(text)
  if (what === "") continue
  const r = run(body, () => body) as any
  if (what.includes("w")) {
    walk.accept({ value: r.value, requestId: null, attempts: 1, waitedMillis: 0 }, sent)
    sent = body.next_before_id
  }
}
console.log(what.padEnd(8), process.cpuUsage(t).user / 1000)
