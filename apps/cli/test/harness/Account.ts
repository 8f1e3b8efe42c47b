/**
 * Somebody who uses the program at a machine of their own: a emulator of the service, a folder for settings, a keychain, and answers to
 * questions. Every run checks that no key of the emulator is in what was written anywhere but into a store of keys.
 */
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type * as Keychain from "../../src/store/Keychain.ts"
import type * as Prompts from "../../src/terminal/Prompts.ts"
import type { Ended } from "./InProcess.ts"
import { run } from "./Cli.ts"
import { call } from "./InProcess.ts"

/** A keychain that remembers: accounts to secrets. */
const keychain = (kept: Map<string, string> = new Map()) => ({
  kept,
  service: {
    get: (account) => Effect.sync(() => kept.get(account) ?? null),
    set: (account, secret) => Effect.sync(() => void kept.set(account, secret)),
    remove: (account) => Effect.sync(() => kept.delete(account)),
  } satisfies Keychain.Service,
})

/** Somebody who gives these answers, one after the other; `asked` is what they were asked. */
export const person = (...answers: ReadonlyArray<string>) => {
  const left = [...answers]
  const asked: Array<string> = []
  const answer = (kind: string) => (question: string) =>
    Effect.suspend(() => {
      asked.push(`${kind}: ${question}`)
      const next = left.shift()
      return next === undefined ? Effect.interrupt : Effect.succeed(next)
    })
  const service: Prompts.Service = { canAsk: true, text: answer("shown"), secret: answer("hidden") }
  return { asked, service }
}

export interface Manner {
  readonly env?: Readonly<Record<string, string>>
  readonly keychain?: Keychain.Service
  readonly prompts?: Prompts.Service
  readonly columns?: number
  readonly clock?: Clock.Clock
}

export interface Account extends AsyncDisposable {
  readonly emulator: Emulator
  readonly url: string
  /** Where settings are; what a test wants to have there, it puts there. */
  readonly settings: string
  readonly folder: string
  /** Runs inside the test, by default with a keychain that works and nobody to ask. */
  readonly call: (args: ReadonlyArray<string>, manner?: Manner) => Promise<Ended>
  /** Runs as a process, with a text on standard input. */
  readonly pipe: (args: ReadonlyArray<string>, stdin: string, env?: Manner["env"]) => Promise<Ended>
  /** What is in the keychain. */
  readonly kept: ReadonlyMap<string, string>
  readonly read: (name: string) => Promise<string>
  /** The files in the folder for settings, each with its mode; without the lock, which stays once it was made. */
  readonly files: () => Promise<Readonly<Record<string, string>>>
}

/** Stores of plaintext keys, and nothing else, may hold one. */
const stores = /^(?:credentials\.json|key|.+\.key)$/

const expectNoKey = async (folder: string, keys: ReadonlyArray<string>, ended: Ended): Promise<void> => {
  const texts = [ended.stdout, ended.stderr]
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !stores.test(entry.name)) {
      texts.push(entry.name, await readFile(join(entry.parentPath, entry.name), "utf8"))
    }
  }
  for (const key of keys) expect(texts.join("\n")).not.toContain(key)
}

/** An account that is gone when it is disposed of. */
export const account = async (options: EmulatorOptions = {}): Promise<Account> => {
  const emulator = make(options)
  const [server, folder] = await Promise.all([listen(emulator), mkdtemp(join(tmpdir(), "deedkit-account-"))])
  const config = join(folder, "config")
  const settings = join(config, "deedkit")
  const own = keychain()
  const keys = Object.values(emulator.secrets)
  const checked = async (ended: Ended): Promise<Ended> => {
    await expectNoKey(folder, keys, ended)
    return ended
  }
  return {
    emulator,
    url: server.url,
    settings,
    folder,
    kept: own.kept,
    call: async (args, manner = {}) =>
      checked(
        await call(args, {
          keychain: own.service,
          ...manner,
          env: { XDG_CONFIG_HOME: config, ...manner.env },
        }),
      ),
    pipe: async (args, stdin, env = {}) =>
      checked(await run(args, { cwd: folder, stdin, env: { XDG_CONFIG_HOME: config, ...env } })),
    read: (name) => readFile(join(settings, name), "utf8"),
    files: async () => {
      const names: ReadonlyArray<string> = await readdir(settings).catch(() => [])
      const modes = names
        .filter((name) => name !== "lock")
        .toSorted()
        .map(async (name) => [name, ((await stat(join(settings, name))).mode & 0o777).toString(8)] as const)
      return Object.fromEntries(await Promise.all(modes))
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server.close(), rm(folder, { recursive: true, force: true })])
    },
  }
}
