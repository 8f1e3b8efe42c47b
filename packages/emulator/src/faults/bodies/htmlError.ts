/** Fault `html-error`: the error page of a gateway that never reached the service. Errors 2. */
import { integer } from "../../settings/Setting.ts"
import { html } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const htmlError = define({
  name: "html-error",
  description: "Answers with an error page of HTML.",
  attributes: { status: integer(502, "status", 400, 599) },
  start: ({ status }) => ({
    before: () =>
      html(
        status,
        `<html><head><title>${status}</title></head><body><h1>${status} Bad Gateway</h1></body></html>`,
      ),
  }),
})
