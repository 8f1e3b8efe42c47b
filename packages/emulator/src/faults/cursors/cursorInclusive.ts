/** Fault `cursor-inclusive`: each page begins with the last record of the previous one. Endpoints 5. */
import { define } from "../fault/Fault.ts"

export const cursorInclusive = define({
  name: "cursor-inclusive",
  description: "Serves the record that the cursor names once more.",
  attributes: {},
  start: () => ({ assume: () => ({ cursorBoundary: "inclusive" }) }),
})
