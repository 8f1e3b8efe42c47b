/** Fault `cursor-cycle`: pages 2 and 3 lead to each other, so that a read never ends. Endpoints 2. */
import type { Json } from "../../wire/Wire.ts"
import { define } from "../fault/Fault.ts"

export const cursorCycle = define({
  name: "cursor-cycle",
  description: "Leads from the third page back to the second.",
  attributes: {},
  start: () => {
    let toSecond: Json | undefined
    let onThird = false
    return {
      content: (content, exchange) => {
        if (content.kind !== "page") return content
        if (toSecond === undefined || exchange.page === 1) {
          toSecond = content.next ?? undefined
          onThird = false
          return content
        }
        const next = onThird ? toSecond : content.next
        onThird = !onThird
        return { ...content, next }
      },
    }
  },
})
