/** Fault `null-listing`: the embedded listing is null although `listing_id` is not. Contract. */
import { define } from "../fault/Fault.ts"
import { changeMember, onRecords, which } from "./records.ts"

export const nullListing = define({
  name: "null-listing",
  description: "Sets the listing of chosen contracts to null.",
  attributes: { records: which },
  start: ({ records }) => ({
    content: (content) =>
      onRecords(content, records, (record) => changeMember(record, "listing", () => null)),
  }),
})
