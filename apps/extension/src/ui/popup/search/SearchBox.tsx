/** The search box and the choice of what is searched. The box keeps the focus: arrows, Enter and Escape are handled by the list's owner. */
import type { MessageName } from "../../../BrowserNames.ts"
import type { SearchField } from "../../../messages/PageMessage.ts"
import { Icon } from "../../kit/Icon.tsx"
import { text } from "../../kit/Message.ts"
import { IconButton } from "../../kit/IconButton.tsx"
import { optionId } from "./Rows.tsx"

/** Each field with its name and with what is typed for it. */
const fields = {
  any: ["searchAny", "hintAny"],
  id: ["searchId", "hintId"],
  listing: ["searchListing", "hintListing"],
  unit: ["searchUnit", "hintUnit"],
  city: ["searchCity", "hintCity"],
  status: ["searchStatus", "hintStatus"],
} as const satisfies { readonly [Field in SearchField]: readonly [MessageName, MessageName] }

const fieldNames = Object.keys(fields) as ReadonlyArray<SearchField>

export const searchBoxId = "search"

export const SearchBox = ({
  typed,
  by,
  active,
  hasRows,
  onType,
  onField,
  onKey,
}: {
  readonly typed: string
  readonly by: SearchField
  readonly active: number
  readonly hasRows: boolean
  readonly onType: (typed: string) => void
  readonly onField: (by: SearchField) => void
  readonly onKey: (event: KeyboardEvent) => void
}) => (
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
        placeholder={text(fields[by][1])}
        aria-label={text("searchLabel")}
        aria-autocomplete="list"
        aria-expanded={hasRows}
        aria-controls="rows"
        {...(hasRows ? { "aria-activedescendant": optionId(active) } : {})}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {typed === "" ? null : (
        <IconButton
          icon="close"
          name={text("searchClear")}
          onPress={() => {
            onType("")
            document.getElementById(searchBoxId)?.focus()
          }}
        />
      )}
    </div>
    <fieldset class="fields">
      <legend class="unseen">{text("searchIn")}</legend>
      {fieldNames.map((field) => (
        <label key={field} class="field">
          <input
            type="radio"
            name="field"
            value={field}
            checked={field === by}
            onChange={() => onField(field)}
            onKeyDown={(event) => {
              if (event.key === "Enter") document.getElementById(searchBoxId)?.focus()
            }}
          />
          <span>{text(fields[field][0])}</span>
        </label>
      ))}
    </fieldset>
  </search>
)
