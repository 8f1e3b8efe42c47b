/** Fault `cursor-constant`: every page names the same cursor, so that a read never ends. Endpoints 2. */
import type { Json } from "../../wire/Wire.ts"
import { define } from "../fault/Fault.ts"

export const cursorConstant = define({
  name: "cursor-constant",
  description: "Answers the cursor of the first page that it acted on, again and again.",
  attributes: {},
  start: () => {
    let constant: Json | undefined
    return {
      content: (content) => {
        if (content.kind !== "page") return content
        constant ??= content.next ?? undefined
        return { ...content, next: constant ?? content.next }
      },
    }
  },
})
