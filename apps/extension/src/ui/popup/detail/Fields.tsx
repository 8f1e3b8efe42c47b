/**
 * Every member of a record, in the words of people where the specification names it and under its own name where it does not. Moments are
 * shown in the reader's own zone, with their age.
 */
import type { ContractDetail } from "../../../messages/PageMessage.ts"
import * as Age from "../../kit/Age.ts"
import { text } from "../../kit/Message.ts"
import { labelOf } from "./Record.ts"

type Field = ContractDetail["fields"][number]

const moments: ReadonlySet<string> = new Set(["created_at", "updated_at"])

const Value = ({ field: { name, value }, now }: { readonly field: Field; readonly now: number }) => {
  if (value === null || value === "") return <span class="quiet">{text("detailEmpty")}</span>
  if (!moments.has(name)) return <bdi>{value}</bdi>
  return (
    <time dateTime={value} title={value}>
      {Age.moment(value)} <span class="quiet">{Age.age(value, now)}</span>
    </time>
  )
}

const Part = ({
  name,
  title,
  fields,
  now,
}: {
  readonly name: string
  readonly title: string
  readonly fields: ReadonlyArray<Field>
  readonly now: number
}) =>
  fields.length === 0 ? null : (
    <section class="fields-part" aria-labelledby={`part-${name}`}>
      <h3 id={`part-${name}`} class="group-title">
        {title}
      </h3>
      <dl>
        {fields.map((field) => (
          <div key={field.name}>
            <dt title={field.name}>{labelOf(field.name) ?? <code>{field.name}</code>}</dt>
            <dd>
              <Value field={field} now={now} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

/** Parts that the tab key reaches, so that they can be scrolled by keyboard. */
export const Fields = ({ detail, now }: { readonly detail: ContractDetail; readonly now: number }) => {
  const isOfListing = ({ name }: Field): boolean => name.startsWith("listing.") && labelOf(name) !== null
  const isOther = ({ name }: Field): boolean => labelOf(name) === null
  const hasListing = detail.fields.some((field) => isOfListing(field) && field.value !== null)
  const { fields } = detail
  return (
    <div
      class="detail-fields"
      tabIndex={0}
      role="region"
      aria-label={text("detailContract", String(detail.row.id))}
    >
      <Part
        name="contract"
        title={text("partContract")}
        fields={fields.filter((field) => !isOfListing(field) && !isOther(field))}
        now={now}
      />
      <Part
        name="listing"
        title={text("partListing")}
        fields={hasListing ? fields.filter(isOfListing) : []}
        now={now}
      />
      <Part name="other" title={text("partOther")} fields={fields.filter(isOther)} now={now} />
    </div>
  )
}
