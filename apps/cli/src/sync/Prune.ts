/**
 * `deedkit sync accept MIRROR ACCOUNT...` lets held removals through, `deedkit sync prune MIRROR` removes old history,
 * `deedkit sync forget MIRROR ACCOUNT...` whole accounts or one of their lists, and `deedkit sync rename MIRROR OLD NEW` names an account anew. What is removed is also gone from the file. Sends nothing, and changes nothing at the service.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { examples, mirrorArgument, optional } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as Session from "../session/Session.ts"
import { isName } from "../store/Profile.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import { count } from "../terminal/Figures.ts"
import { collectionOf, listNames } from "./AccountList.ts"
import * as Mirror from "./Mirror.ts"
import * as Since from "./Since.ts"

const ofPrune = {
  mirror: mirrorArgument,
  before: Flag.String("before").pipe(
    Flag.filter(
      (text) => Since.isSince(text),
      () => Since.shape,
    ),
    Flag.withMetavar("DATE"),
    Flag.withDescription(
      "Remove versions that were replaced before then, and runs: a date, a UTC time, or a span such as 90d",
    ),
  ),
} as const

const ofAccounts = {
  mirror: mirrorArgument,
  accounts: Argument.String("ACCOUNT").pipe(
    Argument.withDescription("The names of accounts in the mirror"),
    Argument.atLeast(1),
  ),
} as const

const ofForget = {
  ...ofAccounts,
  only: Flag.Literals("only", listNames).pipe(
    Flag.withDescription("Remove one list of each account, and keep the other"),
    optional,
  ),
} as const

const ofRename = {
  mirror: mirrorArgument,
  old: Argument.String("OLD").pipe(Argument.withDescription("The name of an account in the mirror")),
  name: Argument.String("NEW").pipe(Argument.withDescription("The name that it gets")),
} as const

const accepting: Work<Command.Command.Config.Infer<typeof ofAccounts>> = Effect.fn(function* ({
  accounts,
  mirror,
}) {
  const names = [...new Set(accounts)]
  const accepted = yield* Mirror.change(mirror, (store) =>
    Effect.forEach(names, (account) => Effect.map(store.accept(account), (lists) => ({ account, lists }))),
  )
  const sentences = accepted.flatMap(({ account, lists }) =>
    lists.length === 0
      ? [`${account}: nothing is held.`]
      : lists.map(({ collection, held }) => {
          const { many, one } = nounsOf(collection)
          return `${account}: the removal of ${count(held, one, many)} is accepted. The next sync does it.`
        }),
  )
  yield* Session.finish({ mirror, accepted }, ...sentences)
})

const pruning: Work<Command.Command.Config.Infer<typeof ofPrune>> = Effect.fn(function* ({ before, mirror }) {
  const moment = Since.moment(before, yield* Clock.currentTimeMillis)
  const removed = yield* Mirror.change(mirror, (store) => store.prune(moment))
  yield* Session.finish(
    { mirror, before: moment, removed },
    `${count(removed, "version", "versions")} from before ${moment} removed.`,
  )
})

const renaming: Work<Command.Command.Config.Infer<typeof ofRename>> = Effect.fn(function* ({
  mirror,
  name,
  old,
}) {
  if (!isName(name)) {
    return yield* usageError(
      `"${name}" is no name for an account`,
      "Use letters, digits, dots, dashes and underscores, 64 at most: others cannot be in an accounts file.",
    )
  }
  yield* Mirror.change(mirror, (store) => store.rename(old, name))
  yield* Session.finish(
    { mirror, old, name },
    `${old} is ${name} now. Name it so in the accounts file too, before the next sync.`,
  )
})

const forgetting: Work<Command.Command.Config.Infer<typeof ofForget>> = Effect.fn(function* ({
  accounts,
  mirror,
  only,
}) {
  const names = [...new Set(accounts)]
  yield* Mirror.change(mirror, (store) =>
    Effect.forEach(
      names,
      (account) => store.forget(account, only === undefined ? undefined : collectionOf(only)),
      { discard: true },
    ),
  )
  const what = only === undefined ? "" : `The ${nounsOf(collectionOf(only)).many} of `
  yield* Session.finish(
    { mirror, removed: names, only },
    `${what}${count(names.length, "account", "accounts")} removed.`,
  )
})

export const prune: Subcommand<"prune"> = Command.make("prune", ofPrune, pruning).pipe(
  Command.withDescription("Remove old versions and old runs from the history of a mirror"),
  examples(`
    deedkit sync prune mirror.sqlite --before 365d  # Keep the history of a year
    deedkit sync prune mirror.sqlite --before 2025-01-01  # Keep the history from a date on
  `),
)

export const accept: Subcommand<"accept"> = Command.make("accept", ofAccounts, accepting).pipe(
  Command.withDescription("Let the next sync remove what a sync has held because it was too much"),
  examples(`
    deedkit sync accept mirror.sqlite acme  # The account really has removed these records
  `),
)

export const rename: Subcommand<"rename"> = Command.make("rename", ofRename, renaming).pipe(
  Command.withDescription("Give an account of a mirror another name, with its history and proof"),
  examples(`
    deedkit sync rename mirror.sqlite acme acme-athens  # The history stays
  `),
)

export const forget: Subcommand<"forget"> = Command.make("forget", ofForget, forgetting).pipe(
  Command.withDescription("Remove accounts from a mirror, with their history and proof"),
  examples(`
    deedkit sync forget mirror.sqlite acme  # An account that left, or was misspelt
    deedkit sync forget mirror.sqlite acme --only keys  # A list that its key may not read
  `),
)
