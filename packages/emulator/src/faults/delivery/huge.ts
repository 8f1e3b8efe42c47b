/** Fault `huge`: an answer far larger than any page, for clients that must not read without a limit. */
import { choice, integer } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const huge = define({
  name: "huge",
  description: "Sends a body of many megabytes.",
  attributes: {
    bytes: integer(40_000_000, "bytes that are added", 1),
    form: choice(["valid", "rubbish"], "valid", "the same JSON with a long member, or no JSON at all"),
  },
  start: ({ bytes, form }) => ({
    answer: (answer) => ({
      ...answer,
      body:
        form === "valid" && answer.body.endsWith("}")
          ? `${answer.body.slice(0, -1)},"padding":"${"x".repeat(bytes)}"}`
          : "x".repeat(bytes),
    }),
  }),
})
