/** Fault `cursor-ignored`: the first page is served for every cursor. A client that does not notice this loses records silently. Endpoints 5. */
import { define } from "../fault/Fault.ts"

export const cursorIgnored = define({
  name: "cursor-ignored",
  description: "Serves the first page whatever the cursor says.",
  attributes: {},
  start: () => ({ assume: () => ({ cursorParameter: "" }) }),
})
