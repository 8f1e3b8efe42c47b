/** Fault `drop`: the connection ends before a status line. The service may or may not have seen the request. */
import { json, withDelivery } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const drop = define({
  name: "drop",
  description: "Closes the connection before any head is sent.",
  attributes: {},
  start: () => ({ before: () => withDelivery(json(200, ""), { drop: true }) }),
})
