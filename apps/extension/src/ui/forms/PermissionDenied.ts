/** What is said when the browser's question for a permission was answered with no, or could not be asked. */
import type { Refusal } from "../../messages/PageMessage.ts"
import { text } from "../kit/Message.ts"

export const denied = (origin: string): Refusal => ({
  _tag: "Refused",
  message: text("grantDenied", new URL(origin).host),
  advice: text("grantDeniedAdvice"),
})
