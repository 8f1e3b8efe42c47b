/** A choice of one among a few options, each with an explanation. Takes effect at once. */
import type { ComponentChildren } from "preact"

export interface Option<Value> {
  readonly value: Value
  readonly label: string
  readonly meaning?: string
}

export const Choice = <Value extends string>({
  name,
  label,
  options,
  chosen,
  onChoose,
  isInline = false,
  children = null,
}: {
  readonly name: string
  readonly label: string
  readonly options: ReadonlyArray<Option<Value>>
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
  /** Whether the options are shown side by side. */
  readonly isInline?: boolean
  readonly children?: ComponentChildren
}) => (
  <fieldset class={isInline ? "choice choice-inline" : "choice"}>
    <legend class="entry-name">{label}</legend>
    {options.map(({ label, meaning, value }) => (
      <label key={value} class="choice-option">
        <input
          type="radio"
          name={name}
          value={value}
          checked={value === chosen}
          onChange={() => onChoose(value)}
        />
        <span class="choice-words">
          <span class="choice-name">{label}</span>
          {meaning === undefined ? null : <span class="choice-meaning">{meaning}</span>}
        </span>
      </label>
    ))}
    {children}
  </fieldset>
)
