/** A mirror of one account, `acme`, that was synced twice; between the two its contracts were changed. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Emulator } from "@deedkit/emulator"
import type { Bench } from "./Cli.ts"
import { bench } from "./Cli.ts"

export interface Mirrored extends Bench {
  readonly mirror: string
}

/** Changes rows of a mirror by hand. */
export const edit = (mirror: string, sql: string): void => {
  const db = new DatabaseSync(mirror)
  db.exec(sql)
  db.close()
}

/** Lets all reads of a mirror have ended years ago. */
export const age = (mirror: string): void =>
  edit(mirror, "update sync_run set ended_at = '2020-01-01T00:00:00.000Z'")

/** One contract goes from ended to active, and one is removed. */
const twoChanges = ({ store }: Emulator): void => {
  const [first, second] = store.contracts
  store.update(first!.id, { status: "active" })
  store.remove(second!.id)
}

export const mirrored = async (changing: (emulator: Emulator) => void = twoChanges): Promise<Mirrored> => {
  const it = await bench({ contracts: 5 })
  const [accounts, mirror] = [join(it.folder, "accounts.jsonl"), join(it.folder, "mirror.sqlite")]
  await writeFile(accounts, JSON.stringify({ name: "acme", baseUrl: it.url, keyEnv: "DEEDKIT_API_KEY" }))
  const sync = async () => {
    const { code, stderr } = await it.call(["sync", "--accounts", accounts, "--to", mirror])
    if (code !== 0) throw new Error(stderr)
  }
  it.emulator.store.update(it.emulator.store.contracts[0]!.id, { status: "ended" })
  await sync()
  changing(it.emulator)
  await sync()
  return { ...it, mirror }
}
