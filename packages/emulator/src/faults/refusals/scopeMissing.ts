/** Fault `scope-missing`: the key lacks the scope that the endpoint requires. Authentication 2. */
import { text } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const scopeMissing = define({
  name: "scope-missing",
  description: "Treats the key as if it lacked a scope.",
  attributes: { scope: text("", "the scope; empty for all of them") },
  start: ({ scope }) => ({
    key: (key) => ({ ...key, scopes: key.scopes.filter((held) => scope !== "" && held !== scope) }),
  }),
})
