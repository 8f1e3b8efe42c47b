/** Fault `ok-false`: status 200 with a body that does not have `ok: true`. Endpoints: every success body has `ok`. */
import { choice } from "../../settings/Setting.ts"
import { json } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const okFalse = define({
  name: "ok-false",
  description: "Answers 200 with a body whose ok is not true.",
  attributes: { form: choice(["false", "missing", "text"], "false", "what is there instead of true") },
  start: ({ form }) => ({
    before: (exchange) =>
      form === "false"
        ? json(200, `{"ok":false,"error":"internal","request":"${exchange.requestId}"}`)
        : undefined,
    answer: (answer) =>
      form === "false"
        ? answer
        : {
            ...answer,
            body: answer.body
              .replace(/^\{"ok":true,?/, form === "missing" ? "{" : '{"ok":"true",')
              .replace(",}", "}"),
          },
  }),
})
