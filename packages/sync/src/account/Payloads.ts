/**
 * The payloads of contracts, which only the retrieve form with `include_data=1` returns (Spec: Endpoints, row 4). The members of a payload are not
 * named (Spec: Contract, gaps): every member that the list does not have belongs to it.
 */
import type { ClientError, Contract, PropertyClient } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Removals from "./Removals.ts"

/** Requests under way at once. The rate limiter of the key applies too. */
const concurrency = 8

/** The payload of a contract as JSON text; null where the answer has none or is not as specified, or the contract is gone. */
export const of =
  ({ get }: Pick<PropertyClient.Records<Contract.Contract, PropertyClient.GetContractOptions>, "get">) =>
  (listed: Contract.Contract): Effect.Effect<string | null, ClientError.ClientError> =>
    get(listed.id, { includeData: true }).pipe(
      Effect.map((whole) => {
        const members = Object.entries(whole).filter(([name]) => !Object.hasOwn(listed, name))
        return members.length === 0 ? null : Json.stringify(Object.fromEntries(members))
      }),
      Effect.catchIf(
        ({ reason }) => reason._tag === "NotFound" || Removals.isAboutRecord(reason),
        () => Effect.succeed(null),
      ),
    )

/** The payloads of records, in their order. */
export const read = <A>(
  records: ReadonlyArray<A>,
  payload: (record: A) => Effect.Effect<string | null, ClientError.ClientError>,
): Effect.Effect<ReadonlyArray<string | null>, ClientError.ClientError> =>
  Effect.forEach(records, payload, { concurrency })
