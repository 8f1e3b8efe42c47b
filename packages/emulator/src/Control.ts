/**
 * A JSON interface for another process: sets faults, reads the journal and changes the store.
 * Separate from the traffic: no request to it is counted, journalled or affected by a fault.
 * Bodies must be sent as `application/json`, which a web page cannot do across origins without a CORS preflight request.
 */
import type { Emulator } from "./Emulator.ts"
import { toText } from "./faults/FaultSet.ts"
import type { Fault } from "./faults/FaultSet.ts"
import { InvalidSetting } from "./Setting.ts"

/** The requests of the control port, as `GET /` lists them. */
const directory = {
  "GET /": "this list",
  "GET /faults": "faults that are set, as data and as text",
  "PUT /faults": "set faults: a list of texts or objects",
  "POST /faults": "add faults to those that are set",
  "DELETE /faults": "take all faults away",
  "GET /journal": "requests so far",
  "DELETE /journal": "forget them",
  "GET /assumptions": "the assumptions that hold",
  "GET /secrets": "secrets of the named keys",
  "GET /store": "counts",
  "GET /store/contracts": "all contracts in order",
  "POST /store/contracts": "insert a contract; members that are not given are made up",
  "PATCH /store/contracts/ID": "change a contract",
  "DELETE /store/contracts/ID": "take a contract away",
  "GET /store/api-keys": "all key records in order",
  "POST /store/api-keys": "insert a key record; the answer holds its secret",
  "PATCH /store/api-keys/ID": "change a key record",
  "DELETE /store/api-keys/ID": "take a key record away",
  "POST /store/api-keys/ID/revoke": "revoke a key",
} as const

/** Answers requests to the control port. */
export const control =
  (emulator: Emulator) =>
  async (request: Request): Promise<Response> => {
    try {
      const body =
        request.method === "GET" || request.method === "DELETE" ? undefined : await readBody(request)
      const found = handle(emulator, request.method, new URL(request.url).pathname, body)
      return found === undefined ? reply(404, { error: "Not here. GET / lists what is." }) : reply(200, found)
    } catch (error) {
      if (error instanceof InvalidSetting || error instanceof RangeError || error instanceof SyntaxError) {
        return reply(400, { error: error.message })
      }
      throw error
    }
  }

const reply = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
  })

const readBody = async (request: Request): Promise<unknown> => {
  const text = await request.text()
  if (text === "") return {}
  if (request.headers.get("content-type")?.startsWith("application/json") !== true) {
    throw new InvalidSetting("the body must be sent with content-type application/json")
  }
  return JSON.parse(text)
}

const handle = (emulator: Emulator, method: string, path: string, body: unknown): object | undefined => {
  const { faults, journal, secrets, store } = emulator
  const [, area, table, id, verb] = path.split("/")
  if (area === "store" && table !== undefined && id !== undefined) {
    return change(emulator, method, table, Number(id), verb, body)
  }
  switch (`${method} ${path}`) {
    case "GET /":
      return directory
    case "PUT /faults":
      faults.set(faultsOf(body))
      return showFaults(emulator)
    case "POST /faults":
      faults.add(...faultsOf(body))
      return showFaults(emulator)
    case "DELETE /faults":
      faults.clear()
      return showFaults(emulator)
    case "GET /faults":
      return showFaults(emulator)
    case "DELETE /journal":
      journal.clear()
      return { entries: [] }
    case "GET /journal":
      return { entries: [...journal.entries] }
    case "GET /assumptions":
      return emulator.assumptions
    case "GET /secrets":
      return { ...secrets }
    case "GET /store":
      return { contracts: store.contracts.length, api_keys: store.apiKeys.length }
    case "GET /store/contracts":
      return { items: store.contracts }
    case "GET /store/api-keys":
      return { items: store.apiKeys }
    case "POST /store/contracts":
      return store.insert(membersOf(body))
    case "POST /store/api-keys": {
      const { record, secret } = store.insertKey(membersOf(body))
      return { record, secret }
    }
    default:
      return undefined
  }
}

const change = (
  { store }: Emulator,
  method: string,
  table: string,
  id: number,
  verb: string | undefined,
  body: unknown,
): object | undefined => {
  switch (`${method} ${table} ${verb ?? ""}`.trimEnd()) {
    case "PATCH contracts":
      return store.update(id, membersOf(body))
    case "DELETE contracts":
      return { removed: store.remove(id) }
    case "PATCH api-keys":
      return store.updateKey(id, membersOf(body))
    case "DELETE api-keys":
      return { removed: store.removeKey(id) }
    case "POST api-keys revoke":
      return store.revoke(id)
    default:
      return undefined
  }
}

const showFaults = ({ faults }: Emulator): object => {
  const list = faults.list()
  return { faults: list, texts: list.map(toText) }
}

const faultsOf = (body: unknown): ReadonlyArray<Fault | string> => {
  if (!Array.isArray(body)) throw new InvalidSetting("faults are a list of texts or objects")
  return body
}

const membersOf = (body: unknown): object => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new InvalidSetting("members of a record are an object")
  }
  return body
}
