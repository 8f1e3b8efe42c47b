/** The name and status of a contract. Members that are shown in full here are not repeated among the fields. */
import type { ContractDetail, ContractRow } from "../../../messages/PageMessage.ts"
import { worded } from "../../kit/Message.ts"
import { Value } from "./Copying.tsx"
import { labelOf } from "./Record.ts"
import { Cut, longest, longestStatus, nameOf, StatusPill } from "./Words.tsx"

/** Number of characters that the heading always has room for. */
const longestShown = 40

/** Members that the heading shows if they are short. */
const headed: ReadonlySet<string> = new Set(["id", "unit_label", "kind", "status"])

type Field = ContractDetail["fields"][number]

/** Whether the heading shows all of a field. */
export const isHeaded = ({ name, value }: Field): boolean =>
  headed.has(name) && (value ?? "").length <= longestShown

export const Heading = ({ row }: { readonly row: ContractRow }) => {
  const { id, kind, status, unitLabel } = row
  const label = (member: string): string => labelOf(member) ?? member
  return (
    <div class="detail-words">
      <h2>
        <Value name={label("unit_label")} value={unitLabel} shown={nameOf(row).slice(0, longest)}>
          <Cut of={nameOf(row)} as="detail-name" />
        </Value>
      </h2>
      <p class="detail-tags">
        <Value name={label("id")} value={String(id)} shown={`#${id}`}>
          #{id}
        </Value>
        <Value name={label("kind")} value={kind} shown={kind.slice(0, longestShown)}>
          <Cut of={kind} as="row-kind" to={longestShown} />
        </Value>
        <Value name={label("status")} value={status} shown={worded(status).slice(0, longestStatus)}>
          <StatusPill status={status} />
        </Value>
      </p>
    </div>
  )
}
