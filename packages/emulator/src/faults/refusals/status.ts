/** Fault `status`: any status with an error body, for statuses that have no fault of their own. Errors 3. */
import { integer } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { failed } from "../fault/failed.ts"
import { retryAfter } from "../fault/retryAfter.ts"

export const status = define({
  name: "status",
  description: "Answers with the status that it is given.",
  attributes: { code: integer(418, "status", 200, 599), retryAfter: retryAfter(null) },
  start: (attributes) => ({
    before: (exchange) =>
      failed(exchange, attributes.code, `status_${attributes.code}`, "As asked for.", attributes.retryAfter),
  }),
})
