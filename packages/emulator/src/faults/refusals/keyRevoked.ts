/** Fault `key-revoked`: the key stops working from some request on. Authentication 4. */
import { timestamp } from "../../wire/Wire.ts"
import { integer } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const keyRevoked = define({
  name: "key-revoked",
  description: "Treats the key as revoked from a request on; the record in the store stays as it is.",
  attributes: { from: integer(1, "first request that is refused, counted from when the fault is set", 1) },
  start: ({ from }) => {
    let count = 0
    return {
      key: (key, { clock, assumptions }) => {
        count += 1
        return count < from
          ? key
          : { ...key, revoked_at: timestamp(clock.now(), assumptions.timestampDigits) }
      },
    }
  },
})
