/** The programs in `docs/`, run as far as they can be without the platforms that they are for. */
import { execFile, spawnSync } from "node:child_process"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { backup } from "../../src/index.ts"
import { accountOf, emulated, expectTruth, folder, query, sync } from "../harness/World.ts"

const root = join(import.meta.dirname, "..", "..")

// Node 22 says on standard error that its SQLite is experimental.
process.env["NODE_OPTIONS"] = "--disable-warning=ExperimentalWarning"

/** The program of a document whose first line begins so. */
const programOf = async (document: string, first: string): Promise<string> => {
  const text = await readFile(join(root, "docs", document), "utf8")
  const found = [...text.matchAll(/```(?:js|python)\n(.*?)```/gs)]
    .map(([, program]) => program!)
    .find((program) => program.startsWith(first))
  if (found === undefined) throw new Error(`${document} has no program "${first}"`)
  return found
}

const run = (command: string, args: ReadonlyArray<string>, more: object = {}) => {
  const { status, stderr, stdout } = spawnSync(command, args, { encoding: "utf8", ...more })
  expect([status, stderr]).toEqual([0, ""])
  return stdout
}

interface Message {
  readonly type: string
  readonly stream?: string
  readonly record?: Readonly<Record<string, unknown>>
  readonly value?: Readonly<Record<string, number>>
  readonly schema?: {
    readonly properties: Readonly<Record<string, { readonly type: string | Array<string> }>>
  }
  readonly key_properties?: ReadonlyArray<string>
  readonly time_extracted?: string
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value

/** The messages of a tap, each of a shape that Singer's specification has. */
const messagesOf = (output: string): ReadonlyArray<Message> => {
  const messages = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message)
  const schemas = new Map<string, Message>()
  for (const message of messages) {
    const { key_properties: keys, record, schema, stream = "", type, value } = message
    expect(["SCHEMA", "RECORD", "STATE"]).toContain(type)
    if (type === "SCHEMA") {
      expect(schema).toMatchObject({ type: "object", properties: expect.any(Object) as object })
      expect(Object.keys(schema!.properties)).toEqual(expect.arrayContaining([...keys!]))
      schemas.set(stream, message)
    }
    if (type === "STATE") expect(typeOf(value)).toBe("object")
    if (type !== "RECORD") continue
    const known = schemas.get(stream)!
    for (const key of known.key_properties!) expect(record).toHaveProperty(key)
    for (const [name, { type: types }] of Object.entries(known.schema!.properties))
      if (Object.hasOwn(record!, name))
        expect([name, [types].flat()]).toEqual([name, expect.arrayContaining([typeOf(record![name])])])
    expect(new Date(message.time_extracted!).toISOString()).toBe(message.time_extracted)
  }
  return messages
}

const records = (messages: ReadonlyArray<Message>) =>
  messages.flatMap(({ record }) => (record === undefined ? [] : [record]))

describe("the Singer tap", () => {
  it("prints messages as Singer specifies them, and with its state only what came later", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 25 })
    const { store } = emulator
    const tap = join(place.path, "tap-deedkit.mjs")
    const state = join(place.path, "state.json")
    await writeFile(tap, await programOf("singer.md", "// tap-deedkit.mjs"))
    await sync(place.mirror, account)
    const printed = run(process.execPath, [tap, place.mirror])
    const first = messagesOf(printed)
    expect(records(first).map(({ id }) => id)).toEqual(
      store.contracts.map(({ id }) => id).toSorted((a, b) => a - b),
    )
    for (const contract of store.contracts)
      expect(printed).toContain(
        `"_sdc_deleted_at":null,${JSON.stringify(contract).slice(1)},"time_extracted"`,
      )
    expect(first.at(-1)!.type).toBe("STATE")
    await writeFile(state, JSON.stringify(first.at(-1)!.value))

    const [changed, removed] = store.contracts.map(({ id }) => id)
    store.update(changed!, { status: "ended" })
    store.remove(removed!)
    const added = store.insert().id
    // A read that is under way comes with a later load, also where it has stored pages.
    let left = 3
    const broken: typeof account.fetch = async (request) =>
      left-- > 0 ? emulator.fetch(request) : new Response("broken", { status: 500 })
    await sync(place.mirror, { ...account, fetch: broken }).catch(() => null)
    expect(
      query(place.mirror, "select count(*) as rows from contract_history where version > 1"),
    ).not.toEqual([{ rows: 0 }])
    const none = messagesOf(run(process.execPath, [tap, place.mirror, state]))
    expect(none.map(({ type }) => type)).toEqual(["SCHEMA", "STATE"])
    await sync(place.mirror, account)
    const second = records(messagesOf(run(process.execPath, [tap, place.mirror, state])))
    expect(second).toHaveLength(3)
    expect(second).toContainEqual(
      expect.objectContaining({ id: changed, status: "ended", _sdc_deleted_at: null }),
    )
    expect(second).toContainEqual(expect.objectContaining({ id: added, _sdc_deleted_at: null }))
    expect(second).toContainEqual({
      account: "acme",
      id: removed,
      _sdc_deleted_at: expect.any(String) as string,
    })
    const all = records(messagesOf(run(process.execPath, [tap, place.mirror])))
    const restored = join(place.path, "restored.sqlite")
    await Effect.runPromise(backup({ from: place.mirror, to: restored }))
    expect(records(messagesOf(run(process.execPath, [tap, restored, state])))).toEqual(all)
  })

  it("prints integers of any size as they are", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 1 })
    await writeFile(join(place.path, "tap.mjs"), await programOf("singer.md", "// tap-deedkit.mjs"))
    const large: typeof account.fetch = async (request) => {
      const response = await emulator.fetch(request)
      const text = await response.text()
      return new Response(text.replace(/"unit_id":[^,]+/, '"unit_id":12345678901234567890'), response)
    }
    await sync(place.mirror, { ...account, fetch: large })
    expect(run(process.execPath, [join(place.path, "tap.mjs"), place.mirror])).toContain(
      '"unit_id":12345678901234567890,',
    )
  })
})

const python = ["python3", "/usr/bin/python3"].find(
  (command) => spawnSync(command, ["-c", "import sqlite3"], { stdio: "ignore" }).status === 0,
)
if (python === undefined)
  console.warn("SKIPPED: Python is not installed, so the generator for dlt is not run.")

describe("the generator for dlt", () => {
  it.skipIf(python === undefined)("yields every version with its record", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 25 })
    await sync(place.mirror, account)
    emulator.store.update(emulator.store.contracts[0]!.id, { status: "on_hold" })
    await sync(place.mirror, account)
    await writeFile(join(place.path, "load.py"), await programOf("dlt.md", "# load.py"))
    const printed = run(
      python!,
      [
        "-B",
        "-c",
        "import json, sys, load; print(json.dumps(list(load.contract_versions(sys.argv[1]))))",
        place.mirror,
      ],
      { cwd: place.path },
    )
    const versions = JSON.parse(printed) as ReadonlyArray<Readonly<Record<string, unknown>>>
    expect(versions).toHaveLength(26)
    const current = versions.filter((version) => version["valid_to"] === null)
    expect(current.map(({ contract }) => contract)).toEqual(
      emulator.store.contracts.toSorted((a, b) => a.id - b.id),
    )
  })
})

describe("the activity for Temporal", () => {
  it("syncs an account by the key in a variable, and does no harm when it runs twice", async () => {
    await using place = await folder()
    const emulator = make({ contracts: 25 })
    const server = await listen(emulator)
    await mkdir(join(place.path, "node_modules", "@deedkit"), { recursive: true })
    for (const [name, target] of [
      ["effect", join(root, "node_modules", "effect")],
      ["@deedkit/core", join(root, "node_modules", "@deedkit", "core")],
      ["@deedkit/sync", root],
    ] as const)
      await symlink(target, join(place.path, "node_modules", name))
    await writeFile(join(place.path, "activities.mjs"), await programOf("temporal.md", "// activities.mjs"))
    await writeFile(
      join(place.path, "twice.mjs"),
      `import { syncOne } from "./activities.mjs"
      const account = { name: "acme", baseUrl: process.argv[2], keyEnv: "KEY_OF_ACME" }
      console.log(JSON.stringify([await syncOne(account), await syncOne(account)]))`,
    )
    try {
      // Not at once: the service is in this process.
      const { stderr, stdout } = await promisify(execFile)(
        process.execPath,
        ["--conditions=@deedkit/source", "twice.mjs", server.url],
        {
          cwd: place.path,
          env: { ...process.env, MIRROR: place.mirror, KEY_OF_ACME: emulator.apiKey },
        },
      )
      expect([stderr, JSON.parse(stdout)]).toEqual(["", [[], []]])
      expectTruth(place.mirror, accountOf("acme", emulator), emulator)
    } finally {
      await server.close()
    }
  })

  it("stands in a workflow whose accounts do not stop each other", async () => {
    await using place = await folder()
    const stub = join(place.path, "node_modules", "@temporalio", "workflow")
    await mkdir(stub, { recursive: true })
    await writeFile(join(stub, "package.json"), '{ "type": "module", "exports": "./index.js" }')
    await writeFile(
      join(stub, "index.js"),
      `export const proxyActivities = () => ({
        syncOne: async ({ name }) => {
          if (name === "beta") throw new Error("401")
          return name === "corp" ? ["contracts"] : []
        },
      })`,
    )
    await writeFile(join(place.path, "workflows.mjs"), await programOf("temporal.md", "// workflows.mjs"))
    const night = `import { night } from "./workflows.mjs"
      console.log(await night(["acme", "beta", "corp", "dove"].map((name) => ({ name }))))`
    const printed = run(process.execPath, ["--input-type=module", "-e", night], { cwd: place.path })
    expect(printed).toBe("[ 'beta', 'corp' ]\n")
  })
})
