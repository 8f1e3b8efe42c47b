/** Fault `cursor-ignored`: whatever the cursor, the first page comes. The silent way to lose records. Endpoints 5. */
import { define } from "../fault/Fault.ts"

export const cursorIgnored = define({
  name: "cursor-ignored",
  description: "Serves the first page whatever the cursor says.",
  attributes: {},
  start: () => ({ assume: () => ({ cursorParameter: "" }) }),
})
