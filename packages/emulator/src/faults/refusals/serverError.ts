/** Fault `server-error`: a 5xx in the assumed error shape. Errors 3. */
import { choice } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { failed } from "../fault/failed.ts"
import { retryAfter } from "../fault/retryAfter.ts"

export const serverError = define({
  name: "server-error",
  description: "Answers with a server error.",
  attributes: {
    status: choice([500, 501, 502, 503, 504, 507, 599], 500, "status"),
    retryAfter: retryAfter(null),
  },
  start: (attributes) => ({
    before: (exchange) =>
      failed(exchange, attributes.status, "server_error", "Something went wrong.", attributes.retryAfter),
  }),
})
