/** Fault `truncated-json`: a complete HTTP message whose JSON text is cut off. */
import { number } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const truncatedJson = define({
  name: "truncated-json",
  description: "Sends the first part of the JSON text as if it were all of it.",
  attributes: { fraction: number(0.5, "part of the text that is sent") },
  start: ({ fraction }) => ({
    answer: (answer) => ({
      ...answer,
      body: answer.body.slice(0, Math.min(answer.body.length - 1, Math.floor(answer.body.length * fraction))),
    }),
  }),
})
