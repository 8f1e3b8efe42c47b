/**
 * The cost of the checks of a page compared with parsing its JSON, without a network and with code generation from strings forbidden, as in an
 * extension. Prints the processor time of both in microseconds per page. Arguments: records per page.
 */
import { Contract, Json } from "@deedkit/core"
import { make } from "@deedkit/emulator"

const size = Number(process.argv[2] ?? 500)
const text = JSON.stringify({
  ok: true,
  items: make({ contracts: size, keys: 5 }).store.contracts,
  next_before_id: 1,
})

const micros = (task: () => void, times: number): number => {
  const before = process.cpuUsage()
  for (let turn = 0; turn < times; turn++) task()
  return process.cpuUsage(before).user / times
}
interface ParsedPage {
  readonly items: ReadonlyArray<unknown>
}
const page = (): ParsedPage => JSON.parse(text)
const kept = Array.from({ length: 50 }, page)
let turn = 0
const check = (): void => {
  for (const item of kept[turn++ % kept.length]!.items) {
    if (!Contract.isContract(item)) throw new Error(`not a contract: ${Json.typeName(item)}`)
  }
}
micros(page, 200)
micros(check, 200)
const rounds = Array.from({ length: 7 }, () => ({ parse: micros(page, 200), check: micros(check, 200) }))
console.log(JSON.stringify(rounds))
