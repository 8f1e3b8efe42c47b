/**
 * The payloads of contracts, which only the retrieve form with `include_data=1` returns (Spec: Endpoints, row 4). The specification does not name
 * the members of a payload (Spec: Contract, gaps): every member that the list does not have belongs to it.
 */
import type { ClientError, Contract, PropertyClient } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Removals from "./Removals.ts"

/** Requests under way at once. The rate limiter of the key applies too. */
const concurrency = 8

type Payload = string | null
type Answer = Payload | ClientError.ClientError

const isRefused = (answer: Answer): answer is ClientError.ClientError =>
  answer !== null && typeof answer === "object"

/**
 * Returns a function that reads the payloads of a page's contracts as JSON texts, in their order. A payload is null if the answer has none or is
 * not as specified, or if the contract is gone or refused by the service. If the service has refused all contracts so far, the key is the cause:
 * the read fails.
 */
export const reader = ({
  get,
}: Pick<PropertyClient.Records<Contract.Contract, PropertyClient.GetContractOptions>, "get">) => {
  let isAllowed = false
  const ask = (listed: Contract.Contract): Effect.Effect<Answer, ClientError.ClientError> =>
    Effect.matchEffect(get(listed.id, { includeData: true }), {
      onSuccess: (whole): Effect.Effect<Answer> => {
        const members = Object.entries(whole).filter(([name]) => !Object.hasOwn(listed, name))
        return Effect.succeed(members.length === 0 ? null : Json.stringify(Object.fromEntries(members)))
      },
      onFailure: (error): Effect.Effect<Answer, ClientError.ClientError> => {
        const { reason } = error
        if (Removals.isRefusal(reason)) return Effect.succeed(error)
        const isOfRecord = reason._tag === "NotFound" || Removals.isAboutRecord(reason)
        return isOfRecord ? Effect.succeed(null) : Effect.fail(error)
      },
    })
  return (
    contracts: ReadonlyArray<Contract.Contract>,
  ): Effect.Effect<ReadonlyArray<Payload>, ClientError.ClientError> =>
    Effect.flatMap(Effect.forEach(contracts, ask, { concurrency }), (answers) => {
      const refused = answers.find(isRefused)
      isAllowed ||= answers.some((answer) => !isRefused(answer))
      return refused !== undefined && !isAllowed
        ? Effect.fail(refused)
        : Effect.succeed(answers.map((answer) => (isRefused(answer) ? null : answer)))
    })
}
