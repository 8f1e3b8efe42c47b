/** Fault `gzip`: a correct gzipped body, which a client's HTTP layer is expected to unpack by itself. */
import { withDelivery, withHeaders } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const gzip = define({
  name: "gzip",
  description: "Sends the body gzipped, with content-encoding.",
  attributes: {},
  start: () => ({
    answer: (answer) =>
      withDelivery(withHeaders(answer, { "content-encoding": "gzip", vary: "accept-encoding" }), {
        gzip: true,
      }),
  }),
})
