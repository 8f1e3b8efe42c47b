/**
 * The flags that name several accounts, and those that say what to read of each. `--profile` is a flag of every command; if it is repeated, it
 * becomes `--profiles`.
 */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { text, toggle, wholeNumber } from "../command/SharedFlags.ts"

export const accountFlags = {
  profiles: Flag.String("profiles").pipe(Flag.atLeast(0), Flag.withHidden),
  all: toggle("all", "Use the accounts of all profiles. For several, repeat --profile"),
  accounts: text(
    "accounts",
    "FILE",
    "Use the accounts of a file: JSON Lines with name, baseUrl, and keyFile, keyEnv or profile",
  ),
} as const

export type AccountChoices = Command.Command.Config.Infer<typeof accountFlags>

/** Number of accounts that are read concurrently. */
export const defaultConcurrency = 8

export const readFlags = {
  only: Flag.Literals("only", ["contracts", "keys"]).pipe(
    Flag.withDescription("Read one list of each account; default: contracts and keys"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  data: toggle("data", "Also read each contract's data payload (include_data), one request each"),
  concurrency: wholeNumber("concurrency", `Accounts that are read at once; default ${defaultConcurrency}`),
  pageSize: wholeNumber("page-size", "Records a page; default 100"),
} as const

export type ReadChoices = Command.Command.Config.Infer<typeof readFlags>

/** The options of a sync that say what to read of each account. */
export const readOptions = ({ data, only, pageSize }: Pick<ReadChoices, "data" | "only" | "pageSize">) => ({
  data,
  pageSize,
  collections: only === undefined ? undefined : ([only === "keys" ? "api-keys" : only] as const),
})
