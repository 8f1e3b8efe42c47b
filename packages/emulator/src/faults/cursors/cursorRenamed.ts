/** Fault `cursor-renamed`: the cursor is read from another parameter than assumed. Endpoints 5. */
import { text } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const cursorRenamed = define({
  name: "cursor-renamed",
  description: "Reads the cursor from a parameter of another name.",
  attributes: { parameter: text("page_token", "the name") },
  start: ({ parameter }) => ({ assume: () => ({ cursorParameter: parameter }) }),
})
