/** The columns of the file and their order. The buttons keep the focus while their column moves, and announce its new position. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { ColumnFacts, TableFacts } from "../../export/ExportMessage.ts"
import { Icon } from "../kit/Icon.tsx"
import { number, plural, text } from "../kit/Message.ts"
import type { Form } from "./Form.ts"
import { chosen, move, resetColumns, toggle } from "./Form.ts"
import { Part } from "./Part.tsx"

interface Moved {
  readonly name: string
  readonly by: -1 | 1
}

const Row = ({
  column,
  isChosen,
  isFirst,
  isLast,
  onToggle,
  onMove,
}: {
  readonly column: ColumnFacts
  readonly isChosen: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onToggle: (isChosen: boolean) => void
  readonly onMove: (by: -1 | 1) => void
}) => {
  const { label, name } = column
  return (
    <li class="column">
      <label class="column-name">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
        />
        <span>{label}</span> <code>{name}</code>
      </label>
      <button
        type="button"
        class="icon-button column-up"
        data-moves={`${name} -1`}
        aria-label={text("exportUp", label)}
        aria-disabled={isFirst}
        onClick={() => onMove(-1)}
      >
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="icon-button column-down"
        data-moves={`${name} 1`}
        aria-label={text("exportDown", label)}
        aria-disabled={isLast}
        onClick={() => onMove(1)}
      >
        <Icon name="back" />
      </button>
    </li>
  )
}

export const Columns = ({
  form,
  facts,
  onForm,
}: {
  readonly form: Form
  readonly facts: TableFacts
  readonly onForm: (form: Form) => void
}) => {
  const list = useRef<HTMLUListElement>(null)
  const [moved, setMoved] = useState<Moved | null>(null)
  const { columns } = chosen(form)
  const known = facts[form.table]
  const count = columns.filter(({ isChosen }) => isChosen).length

  useLayoutEffect(() => {
    if (moved === null) return
    const wanted = `${moved.name} ${moved.by}`
    list.current?.querySelector<HTMLElement>(`[data-moves="${CSS.escape(wanted)}"]`)?.focus()
  }, [moved, columns])

  const place = moved === null ? -1 : columns.findIndex(({ name }) => name === moved.name)
  const label = known.find(({ name }) => name === moved?.name)?.label ?? ""
  return (
    <Part id="columns" title={text("exportColumns")}>
      <div class="part">
        <ul class="columns" ref={list} aria-label={text("exportColumns")}>
          {columns.map(({ isChosen, name }, at) => {
            const column = known.find((candidate) => candidate.name === name)
            return column === undefined ? null : (
              <Row
                key={name}
                column={column}
                isChosen={isChosen}
                isFirst={at === 0}
                isLast={at === columns.length - 1}
                onToggle={(isOn) => onForm(toggle(form, name, isOn))}
                onMove={(by) => {
                  onForm(move(form, name, by))
                  setMoved({ name, by })
                }}
              />
            )
          })}
        </ul>
        <p class="unseen" role="status">
          {place < 0 ? "" : text("exportMoved", label, number(place + 1))}
        </p>
        <p class="form-end">
          <button type="button" class="button button-small" onClick={() => onForm(resetColumns(form, facts))}>
            {text("exportColumnsReset")}
          </button>
          <span class="quiet">{plural("exportColumnsChosen", count)}</span>
        </p>
      </div>
    </Part>
  )
}
