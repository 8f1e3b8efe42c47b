/** Fault `missing-next`: a list without `next_before_id`, which is not the same as null. Endpoints 2. */
import { define } from "../fault/Fault.ts"

export const missingNext = define({
  name: "missing-next",
  description: "Leaves next_before_id out of a list.",
  attributes: {},
  start: () => ({
    content: (content) => (content.kind === "page" ? { ...content, next: undefined } : content),
  }),
})
