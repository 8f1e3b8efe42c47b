/** An error answer in the assumed shape, for faults that stand in for the service. Errors 2. */
import { failure, withHeaders } from "../../wire/Answer.ts"
import type { Answer } from "../../wire/Answer.ts"
import type { Exchange } from "../../routes/Exchange.ts"
import { retryAfterHeader } from "./retryAfter.ts"

export const failed = (
  exchange: Exchange,
  status: number,
  code: string,
  message: string,
  retryAfter: number | string | null = null,
): Answer =>
  withHeaders(
    failure(exchange.assumptions, status, code, message, exchange.requestId),
    retryAfterHeader(retryAfter, exchange),
  )
