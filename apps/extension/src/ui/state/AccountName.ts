/** The displayed name of an account: its own name, otherwise the host of its address. */
import type { Account } from "../../messages/AppState.ts"
import { text } from "../kit/Message.ts"

export const accountName = ({ baseUrl, name }: Account): string => {
  if (name !== "") return name
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : text("accountUnnamed")
}
