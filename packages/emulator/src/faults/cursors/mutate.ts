/** Fault `mutate`: records are inserted, updated and removed while a client reads them. Endpoints 2 promises no snapshot. */
import { below } from "../../settings/Random.ts"
import { choice, integer } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const mutate = define({
  name: "mutate",
  description: "Inserts, updates and removes contracts each time that a page of contracts has been served.",
  attributes: {
    insert: integer(0, "contracts that are added"),
    update: integer(0, "contracts that are changed"),
    remove: integer(0, "contracts that are taken away"),
    from: choice(
      ["any", "served", "rest"],
      "any",
      "which contracts: any, those up to this page, or those behind it",
    ),
  },
  start: (attributes, random) => ({
    content: (content, { store, endpoint }) => {
      if (content.kind !== "page" || endpoint !== "contracts") return content
      const end = content.start + content.items.length
      const [low, high] = { any: [0, Infinity], served: [0, end], rest: [end, Infinity] }[attributes.from]
      const pool = store.contracts.slice(low, high)
      const draw = () => pool.splice(below(random, pool.length), 1)
      for (let i = 0; i < attributes.insert; i++) store.insert()
      for (let i = 0; i < attributes.update; i++) {
        for (const { id, status } of draw())
          store.update(id, { status: status === "ended" ? "active" : "ended" })
      }
      for (let i = 0; i < attributes.remove; i++) {
        for (const { id } of draw()) store.remove(id)
      }
      return content
    },
  }),
})
