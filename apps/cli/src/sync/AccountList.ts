/**
 * The accounts of a sync, and the flags that name them: those of profiles, those of a file, or the current one. Everything that can be rejected is
 * rejected before the first request. A key is read when its account is opened, never from the list itself.
 */
import { dirname, resolve } from "node:path"
import { Json } from "@deedkit/core"
import type { RetryPolicy, Transport } from "@deedkit/core"
import * as OwnFile from "@deedkit/core/own-file"
import type { Collection, MirrorStore, SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Stdio from "effect/Stdio"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { optional, text, toggle, wholeNumber } from "../command/SharedFlags.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { codeOf, usageError } from "../failure/Failure.ts"
import * as KeySource from "../session/KeySource.ts"
import * as Connections from "../session/Connections.ts"
import * as Session from "../session/Session.ts"
import * as HomePath from "../terminal/HomePath.ts"
import * as Settings from "../session/Settings.ts"
import { isName } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import * as TextFile from "../store/TextFile.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"

/** The flags that name several accounts. `--profile` is a flag of every command; if it is repeated, it becomes `--profiles`. */
export const accountFlags = {
  profiles: Flag.String("profiles").pipe(Flag.atLeast(0), Flag.withHidden),
  all: toggle("all", "Use the accounts of all profiles. For several, repeat --profile"),
  accounts: text(
    "accounts",
    "FILE",
    "Use the accounts of a file: JSON Lines with name, baseUrl, and keyFile, keyEnv or profile; lists names what to read, tags its groups",
  ),
} as const

type AccountChoices = Command.Command.Config.Infer<typeof accountFlags>

/** Number of accounts that are read concurrently. */
export const defaultConcurrency = 8

/** A list of an account by the name that flags and files have for it. */
export const listNames = ["contracts", "keys"] as const
type ListName = (typeof listNames)[number]
export const collectionOf = (name: ListName): Collection => (name === "keys" ? "api-keys" : name)

/** The flags that say what to read of each account. */
export const readFlags = {
  only: Flag.Literals("only", listNames).pipe(
    Flag.withDescription("Read one list of each account; default: its lists in the accounts file, else both"),
    optional,
  ),
  data: toggle("data", "Also read each contract's data payload (include_data), one request each"),
  concurrency: wholeNumber("concurrency", `Accounts that are read at once; default ${defaultConcurrency}`),
  pageSize: wholeNumber("page-size", "Records per page; default 100"),
} as const

type ReadChoices = Command.Command.Config.Infer<typeof readFlags>

/** The lists to read of an account: that of --only, else those of its line in the accounts file, else both. */
export const collectionsOf = (
  { only }: Pick<ReadChoices, "only">,
  lists: ReadonlyArray<ListName> = listNames,
): ReadonlyArray<Collection> => (only === undefined ? lists : [only]).map(collectionOf)

export interface Listed {
  readonly name: string
  /** The lists to read, in the order of the line of its accounts file; undefined for both. */
  readonly lists?: ReadonlyArray<ListName> | undefined
  /** The groups that the account belongs to; undefined where there is no accounts file to say so. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Makes the client of the account from its settings and its key, on the transport that all accounts share, without a progress line of its own. */
  readonly open: (send: Transport.Send) => Session.Connecting
}

/** One transport for all accounts: separate transports would keep connections open for every account. */
export const sharedTransport = Connections.open(64)

/** How accounts are read. */
interface How {
  /** Those of the command, without a progress line for each account. */
  readonly flags: SharedFlags
  readonly variables: Variables
  /**
   * `patient`, with long waits, or `interactive`, whose short ones suit those that are tried again later: an account that would have to wait for its
   * service gives its slot to another one.
   */
  readonly preset: RetryPolicy.Preset
}

const ofProfile = ({ flags, preset, variables }: How, profile: string, name = profile): Listed => ({
  name,
  open: (send) =>
    Effect.gen(function* () {
      const sources = yield* Settings.gather({ ...flags, profile }, variables)
      return yield* Session.openWith(sources, flags, preset, () => send)
    }),
})

interface Entry {
  readonly name: string
  readonly baseUrl: string | undefined
  readonly keyFile: string | undefined
  readonly keyEnv: string | undefined
  readonly profile: string | undefined
  readonly lists: ReadonlyArray<ListName> | undefined
  readonly tags: ReadonlyArray<string> | undefined
}

const members = ["name", "baseUrl", "keyFile", "keyEnv", "profile", "lists", "tags"] as const
const keys = ["keyFile", "keyEnv", "profile"] as const

/** Parses an entry, or returns a description of its problem. */
const entryOf = (line: string): Entry | string => {
  let value: Json.Json
  try {
    value = Json.parse(line)
  } catch {
    return "is not JSON"
  }
  if (!Json.isObject(value)) return "is not an object"
  for (const [name, member] of Object.entries(value)) {
    if (!members.includes(name as (typeof members)[number]))
      return `has an unknown member "${name}"; it takes ${members.join(", ")}`
    if (name === "lists") {
      const isNamed = (each: unknown): boolean => listNames.includes(each as ListName)
      if (!Array.isArray(member) || member.length === 0 || !member.every(isNamed))
        return `has a member lists that is not a list of ${listNames.join(" and ")}`
    } else if (name === "tags") {
      if (!Array.isArray(member) || !member.every((tag) => typeof tag === "string" && isName(tag)))
        return "has a member tags that is not a list of names: letters, digits, dots, dashes and underscores"
    } else if (typeof member !== "string") return `has a member ${name} that is not a text`
    else if (member.trim() === "") return `has an empty ${name}`
  }
  const entry = value as unknown as Entry
  if (entry.name === undefined || !isName(entry.name)) {
    return "has no valid name: letters, digits, dots, dashes and underscores, 64 at most"
  }
  const given = keys.filter((name) => entry[name] !== undefined)
  if (given.length !== 1) return "must have one of keyFile, keyEnv and profile"
  if (entry.profile === undefined && entry.baseUrl === undefined) return "has no baseUrl"
  if (entry.profile !== undefined && entry.baseUrl !== undefined)
    return "has a profile and a baseUrl: a profile has its own address"
  return entry
}

/** The folder that the paths of a list are relative to: that of the list, or the working folder for a list on a descriptor. */
const folderOf = (path: string): string => (/^\/(?:dev|proc)\//.test(path) ? "." : dirname(path))

const ofEntry = (how: How, path: string, entry: Entry): Listed => {
  const { flags, preset, variables } = how
  const { baseUrl = "", keyEnv, keyFile, lists, name, profile, tags = [] } = entry
  if (profile !== undefined) return Object.assign(ofProfile(how, profile, name), { lists, tags })
  const readKey =
    keyFile === undefined
      ? Effect.suspend(() => {
          const key = variables.secret(keyEnv!)
          return key === undefined
            ? usageError(`The variable ${keyEnv} is not set`, `${path} names it for ${name}.`)
            : Effect.succeed(key)
        })
      : KeySource.fromFile(resolve(folderOf(path), HomePath.expand(keyFile)), `${path} (${name})`)
  return {
    name,
    lists,
    tags,
    open: (send) =>
      Effect.gen(function* () {
        const apiKey = yield* readKey
        const cursorParam = flags.cursorParam ?? variables.cursorParam ?? "auto"
        const options = {
          baseUrl,
          apiKey,
          cursorParam,
          rate: flags.rate,
          ...Settings.retryOptions(flags, preset),
        }
        return yield* Session.connect(options, flags, () => send)
      }),
  }
}

/** A line for each of 100,000 accounts. */
const mostListBytes = 64 * 1_048_576

const ofFile = Effect.fnUntraced(function* (
  how: How,
  path: string,
): Effect.fn.Return<ReadonlyArray<Listed>, Failure> {
  const text = yield* Effect.tryPromise({
    try: async () => TextFile.decode(await OwnFile.read(path, { most: mostListBytes, orPipe: true })),
    catch: (cause) =>
      usageError(`The accounts file ${path} could not be read (${codeOf(cause)})`, "Check --accounts."),
  })
  const listed: Array<Listed> = []
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const entry = entryOf(line)
    if (typeof entry === "string") {
      return yield* usageError(
        `Line ${at + 1} of ${path} ${entry}`,
        'An account is {"name": "acme", "baseUrl": "https://...", "keyFile": "acme.key"}.',
      )
    }
    listed.push(ofEntry(how, path, entry))
  }
  return listed
})

/** The current account, named after its profile, or after its host if it has none. */
const ofSettings = Effect.fnUntraced(function* ({
  flags,
  preset,
  variables,
}: How): Effect.fn.Return<ReadonlyArray<Listed>, Failure, Stdio.Stdio> {
  const sources = yield* Settings.gather(flags, variables)
  const { apiKey, baseUrl, problem } = sources
  // Fails for missing or contradictory settings, before a key is read.
  if (problem !== null || baseUrl === null || apiKey === null)
    yield* Settings.optionsOf(sources, flags, preset)
  const address = baseUrl?.value ?? ""
  const host = URL.canParse(address) ? new URL(address).host.replaceAll(/[^\w.-]/g, "-") : "account"
  const name = sources.own?.name ?? host
  return [{ name, open: (send) => Session.openWith(sources, flags, preset, () => send) }]
})

const listOf = Effect.fnUntraced(function* (how: How, { accounts, all, profiles }: AccountChoices) {
  const { flags, variables } = how
  const ways = [
    ...(flags.profile === undefined ? [] : ["--profile"]),
    ...(profiles.length === 0 ? [] : ["--profile"]),
    ...(all ? ["--all"] : []),
    ...(accounts === undefined ? [] : ["--accounts"]),
  ]
  if (ways.length > 1)
    return yield* usageError(`${ways.join(" and ")} cannot be combined`, "Choose one of them.")
  if (accounts !== undefined) return yield* ofFile(how, accounts)
  if (!all && profiles.length === 0) return yield* ofSettings(how)
  const names = all ? (yield* ProfileFile.load(variables)).profiles.byName.keys() : profiles
  return [...names].map((profile) => ofProfile(how, profile))
})

/** The accounts that the flags name: at least one, each name once. */
export const list = Effect.fnUntraced(function* (
  flags: SharedFlags,
  choices: AccountChoices,
  preset: RetryPolicy.Preset = "patient",
): Effect.fn.Return<ReadonlyArray<Listed>, Failure, Environment | Stdio.Stdio> {
  // Where accounts are tried again later, two attempts of a request are enough.
  const attempts = flags.attempts ?? (preset === "interactive" ? 2 : undefined)
  const how = { flags: { ...flags, attempts, quiet: true }, variables: yield* Environment, preset }
  const listed = yield* listOf(how, choices)
  if (listed.length === 0) {
    return yield* usageError(
      "There are no accounts",
      "Add profiles with `deedkit auth login`, or lines to the accounts file.",
    )
  }
  const names = new Set<string>()
  for (const { name } of listed) {
    if (names.has(name))
      return yield* usageError(
        `The account ${name} is named twice`,
        "Each name stands for one account of the mirror.",
      )
    names.add(name)
  }
  return listed
})

/** Gives accounts of a mirror the tags of their lines in an accounts file. */
export const tagIn = (store: MirrorStore, listed: ReadonlyArray<Listed>): Effect.Effect<void, SyncError> => {
  const tags = new Map(listed.flatMap((each) => (each.tags === undefined ? [] : [[each.name, each.tags]])))
  return tags.size === 0 ? Effect.void : store.tag(tags)
}
