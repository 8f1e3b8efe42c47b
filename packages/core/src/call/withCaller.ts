/** The caller of one operation: that of the client, or one with the options of the operation over those of the client. */
import type { ClientError } from "../error/ClientError.ts"
import type { Caller } from "./Caller.ts"
import { over } from "./ClientConfig.ts"
import type { CallOptions } from "./ClientOptions.ts"
import type { Operation } from "./optionCheck.ts"
import { problemOfCall, problemOfOptions } from "./optionCheck.ts"

/**
 * Returns the result of `use` with the caller, which is the same one if none of the options is an option of calls. Returns the result of
 * `refuse` with `ConfigInvalid` for an option that cannot work, or that the operation does not have.
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
