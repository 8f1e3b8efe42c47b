/** The caller of one operation: that of the client, or one with the options of the operation over those of the client. */
import type { ClientError } from "../error/ClientError.ts"
import type { Caller } from "./Caller.ts"
import { over } from "./ClientConfig.ts"
import type { CallOptions } from "./ClientOptions.ts"
import type { Operation } from "./optionCheck.ts"
import { problemOfCall, unknownOption } from "./optionCheck.ts"

/** The same caller where none of the options is of calls. Gives `ConfigInvalid` for an option that cannot work, or that `of` does not have. */
export const callerFor = (
  caller: Caller,
  of: Operation,
  options: CallOptions | undefined,
): Caller | ClientError => {
  const problem = unknownOption(of, options)
  if (problem !== null || options === undefined) return problem ?? caller
  const { priority, retry, timeLimits } = options
  if (priority === undefined && retry === undefined && timeLimits === undefined) return caller
  return problemOfCall(options) ?? caller.having(over(caller.config, options))
}
