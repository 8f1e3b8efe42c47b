/**
 * A contract's heading, and every member of the record that it does not show, with a label for people if the specification names it and under its own name otherwise.
 * Short members are shown in two columns. Moments are shown in the user's own time zone, with their age.
 */
import type { ComponentChildren } from "preact"
import type { ContractDetail, ContractRow } from "../../../index/PageIndex.ts"
import * as Age from "../../kit/Age.ts"
import { text, worded } from "../../kit/Message.ts"
import { labelOf } from "./Record.ts"
import { Cut, longest, longestStatus, nameOf, StatusPill } from "./Words.tsx"
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { Icon } from "../../kit/Icon.tsx"

type Field = ContractDetail["fields"][number]

/** Number of characters that the heading always has room for. */
const longestShown = 40

/** Members that the heading shows if they are short. */
const headed: ReadonlySet<string> = new Set(["id", "unit_label", "kind", "status"])

/** Whether the heading shows all of a field. */
const isHeaded = ({ name, value }: Field): boolean => headed.has(name) && (value ?? "").length <= longestShown

/** The name and status of a contract. Members that are shown in full here are not repeated among the fields. */
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

const moments: ReadonlySet<string> = new Set(["created_at", "updated_at"])

/** Characters that fit in half of the popup. */
const halfWidth = 22

const Shown = ({ field: { name, value }, now }: { readonly field: Field; readonly now: number }) => {
  if (value === null || value === "") return <span class="quiet">{text("detailEmpty")}</span>
  const isMoment = moments.has(name)
  const shown = isMoment ? `${Age.day(value)} ${Age.age(value, now)}` : value
  return (
    <Value name={labelOf(name) ?? name} value={value} shown={shown}>
      {isMoment ? (
        <time dateTime={value} title={Age.moment(value)}>
          {Age.day(value)} <span class="quiet">{Age.age(value, now)}</span>
        </time>
      ) : (
        <bdi>{value}</bdi>
      )}
    </Value>
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
          <div
            key={field.name}
            class={!moments.has(field.name) && (field.value ?? "").length > halfWidth ? "wide" : ""}
          >
            <dt title={field.name}>{labelOf(field.name) ?? <code>{field.name}</code>}</dt>
            <dd>
              <Shown field={field} now={now} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

/** Members of a listing in the order in which people mention them. */
const listingOrder = ["title", "city", "area", "slug", "id"].map((name) => `listing.${name}`)

/** The fields of each part, each value once: a listing's number is shown with the listing, unless the two differ. */
const partsOf = (fields: ReadonlyArray<Field>) => {
  const valueOf = (wanted: string): string | null => fields.find(({ name }) => name === wanted)?.value ?? null
  const ofListing = (name: string): boolean => name.startsWith("listing.") && labelOf(name) !== null
  const listing = fields.filter(({ name, value }) => ofListing(name) && value !== null)
  const isRepeated = ({ name }: Field): boolean =>
    name === "listing_id" && listing.length > 0 && valueOf("listing_id") === valueOf("listing.id")
  return {
    contract: fields.filter(
      (field) =>
        labelOf(field.name) !== null && !ofListing(field.name) && !isHeaded(field) && !isRepeated(field),
    ),
    listing:
      listing.length === 0
        ? []
        : listingOrder.flatMap((wanted) => fields.filter(({ name }) => name === wanted)),
    other: fields.filter(({ name }) => labelOf(name) === null),
  }
}

/** The parts can be focused with Tab, so that they can be scrolled by keyboard. */
export const Fields = ({
  detail,
  now,
  children,
}: {
  readonly detail: ContractDetail
  readonly now: number
  /** Where the listing and its other contracts are. */
  readonly children: ComponentChildren
}) => {
  const { contract, listing, other } = partsOf(detail.fields)
  return (
    <div
      class="detail-fields"
      tabIndex={0}
      role="region"
      aria-label={text("detailContract", String(detail.row.id))}
    >
      <Part name="listing" title={text("partListing")} fields={listing} now={now} />
      {children}
      <Part name="contract" title={text("partContract")} fields={contract} now={now} />
      <Part name="other" title={text("partOther")} fields={other} now={now} />
    </div>
  )
}

/** Announces that something was copied, or was not. */
export type Say = (said: string) => void

/** Copies a text and announces the result. */
export const copy = (what: string, said: string, say: Say): void => {
  say("")
  void navigator.clipboard.writeText(what).then(
    () => say(said),
    () => say(`${text("copyFailed")} ${text("copyFailedAdvice")}`),
  )
}

export const Saying = createContext<Say>(() => {})

const Value = ({
  name,
  value,
  shown = value,
  children,
}: {
  /** The name of the value, for people. */
  readonly name: string
  readonly value: string
  /** The value as it is shown, if that differs. */
  readonly shown?: string
  readonly children: ComponentChildren
}) => {
  const say = useContext(Saying)
  return (
    <button
      type="button"
      class="value"
      title={text("copyField", name)}
      aria-label={text("copyField", `${name} ${shown}`)}
      onClick={() => copy(value, text("copiedField", name), say)}
    >
      <span>{children}</span>
      <Icon name="copy" />
    </button>
  )
}
