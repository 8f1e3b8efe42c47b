/** The conditions that select rows, and the order of the rows. */
import type { ColumnFacts, TableFacts } from "../../export/ExportMessage.ts"
import type { MessageName } from "../../BrowserNames.ts"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
import type { Comparison, Condition, Form, Kind } from "./Form.ts"
import { addCondition, chosen, comparisons, removeCondition, setCondition, setOrder } from "./Form.ts"
import { Part } from "./Part.tsx"

const names: { readonly [Sign in Comparison]: MessageName } = {
  "==": "exportIs",
  "!=": "exportIsNot",
  "~": "exportContains",
  "<": "exportLess",
  "<=": "exportAtMost",
  ">": "exportMore",
  ">=": "exportAtLeast",
}
const timeNames: Partial<{ readonly [Sign in Comparison]: MessageName }> = {
  "<": "exportBefore",
  "<=": "exportUntil",
  ">": "exportAfter",
  ">=": "exportSince",
}

const nameOf = (kind: Kind, sign: Comparison): MessageName =>
  (kind === "timestamp" ? timeNames[sign] : undefined) ?? names[sign]

const placeholderOf = (kind: Kind): string => {
  if (kind === "timestamp") return "2026-03-01"
  return kind === "boolean" ? text("exportYesOrNo") : ""
}

const Row = ({
  condition,
  columns,
  place,
  onChange,
  onRemove,
}: {
  readonly condition: Condition
  readonly columns: ReadonlyArray<ColumnFacts>
  readonly place: number
  readonly onChange: (changed: Partial<Omit<Condition, "key">>) => void
  readonly onRemove: () => void
}) => {
  const { column, comparison, value } = condition
  const kind = columns.find(({ name }) => name === column)?.kind ?? "text"
  const number = String(place)
  return (
    <li class="condition">
      <select
        class="entry-box"
        aria-label={text("exportConditionColumn", number)}
        value={column}
        onChange={({ currentTarget }) => onChange({ column: currentTarget.value })}
      >
        {columns.map(({ label, name }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <select
        class="entry-box"
        aria-label={text("exportConditionComparison", number)}
        value={comparison}
        onChange={({ currentTarget }) => onChange({ comparison: currentTarget.value as Comparison })}
      >
        {comparisons(kind).map((sign) => (
          <option key={sign} value={sign}>
            {text(nameOf(kind, sign))}
          </option>
        ))}
      </select>
      <input
        class="entry-box"
        type="text"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        maxLength={500}
        aria-label={text("exportConditionValue", number)}
        placeholder={placeholderOf(kind)}
        value={value}
        onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={text("exportConditionRemove", number)}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}

export const Conditions = ({
  form,
  facts,
  onForm,
}: {
  readonly form: Form
  readonly facts: TableFacts
  readonly onForm: (form: Form) => void
}) => {
  const columns = facts[form.table]
  const { conditions, order } = chosen(form)
  return (
    <Part id="rows" title={text("exportRows")}>
      <div class="part">
        {conditions.length === 0 ? (
          <p class="quiet">{text("exportAllRows")}</p>
        ) : (
          <>
            <ul class="conditions" aria-label={text("exportConditions")}>
              {conditions.map((condition, at) => (
                <Row
                  key={condition.key}
                  condition={condition}
                  columns={columns}
                  place={at + 1}
                  onChange={(changed) => onForm(setCondition(form, facts, condition.key, changed))}
                  onRemove={() => onForm(removeCondition(form, condition.key))}
                />
              ))}
            </ul>
            <p class="entry-hint">{text("exportConditionsHint")}</p>
          </>
        )}
        <button
          type="button"
          class="button"
          onClick={() =>
            onForm(addCondition(form, columns.find(({ name }) => name === "status")?.name ?? "name"))
          }
        >
          {text("exportConditionAdd")}
        </button>
      </div>
      <div class="part">
        <div class="entry">
          <label class="entry-name" for="order">
            {text("exportOrder")}
          </label>
          <select
            id="order"
            class="entry-box"
            value={order}
            onChange={({ currentTarget }) => onForm(setOrder(form, currentTarget.value))}
          >
            <option value="">{text("exportOrderIds")}</option>
            {columns.flatMap(({ label, name }) => [
              <option key={name} value={name}>
                {text("exportAscending", label)}
              </option>,
              <option key={`-${name}`} value={`-${name}`}>
                {text("exportDescending", label)}
              </option>,
            ])}
          </select>
        </div>
      </div>
    </Part>
  )
}
