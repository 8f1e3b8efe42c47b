/** The caller of one operation: that of the client, or one with the options of the operation over those of the client. */
import type { ClientError } from "../error/ClientError.ts"
import type { Caller } from "./Caller.ts"
import { over } from "./ClientConfig.ts"
import type { CallOptions } from "./ClientOptions.ts"
import type { Operation } from "./optionCheck.ts"
import { problemOfCall, problemOfOptions } from "./optionCheck.ts"

/**
 * What `use` makes with the caller: the same one where none of the options is of calls. What `refuse` makes of `ConfigInvalid` for an option
 * that cannot work, or that the operation does not have.
 */
export const withCaller = <Result>(
  caller: Caller,
  of: Operation,
  options: CallOptions | undefined,
  use: (caller: Caller) => Result,
  refuse: (error: ClientError) => Result,
): Result => {
  const problem = problemOfOptions(of, options)
  if (problem !== null) return refuse(problem)
  if (options?.priority === undefined && options?.retry === undefined && options?.timeLimits === undefined)
    return use(caller)
  const bad = problemOfCall(options)
  return bad === null ? use(caller.having(over(caller.config, options))) : refuse(bad)
}
