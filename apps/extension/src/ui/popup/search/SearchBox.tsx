/** The search box, with the way to the commands while it is empty. It keeps the focus: arrows, Enter and Escape are handled by the list's owner. */
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"
import { IconButton } from "../../kit/Button.tsx"
import { optionId } from "./Rows.tsx"

export const searchBoxId = "search"

export const SearchBox = ({
  label,
  typed,
  active,
  hasRows,
  onType,
  onKey,
}: {
  /** What is searched, if that is not contracts. */
  readonly label?: string
  readonly typed: string
  readonly active: number
  readonly hasRows: boolean
  readonly onType: (typed: string) => void
  readonly onKey: (event: KeyboardEvent) => void
}) => {
  const startWith = (text: string): void => {
    onType(text)
    document.getElementById(searchBoxId)?.focus()
  }
  return (
    <search class="search">
      <div class="search-box">
        <Icon name="search" />
        <input
          id={searchBoxId}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          maxLength={200}
          value={typed}
          {...(typed === "" ? {} : { dir: "auto" as const })}
          placeholder={label ?? text("searchHint")}
          aria-label={label ?? text("searchLabel")}
          aria-autocomplete="list"
          aria-expanded={hasRows}
          aria-controls="rows"
          {...(hasRows ? { "aria-activedescendant": optionId(active) } : {})}
          onInput={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        {typed !== "" ? (
          <IconButton icon="close" name={text("searchClear")} onPress={() => startWith("")} />
        ) : label === undefined ? (
          // By the keyboard, it is the character itself.
          <button
            type="button"
            class="search-commands"
            title={text("commands")}
            tabIndex={-1}
            onClick={() => startWith(">")}
          >
            <kbd aria-hidden="true">&gt;</kbd>
            <span class="unseen">{text("commands")}</span>
          </button>
        ) : null}
      </div>
    </search>
  )
}
