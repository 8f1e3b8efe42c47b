/** A text field with its label, a hint, and its problem after submission. */
import type { ComponentChildren } from "preact"
import { accountLimits } from "../../messages/AppState.ts"
import { Icon } from "../kit/Icon.tsx"

export interface EntryProps {
  /** Unique on its page; also the anchor that opens the page at this place. */
  readonly id: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly value: string
  readonly onType: (value: string) => void
  readonly problem?: string | null
  readonly placeholder?: string
  /** `secret` is never shown, remembered or suggested by the browser; `name` is that of an account. */
  readonly kind?: "address" | "secret" | "code" | "name"
  readonly autoFocus?: boolean
}

export const Entry = ({
  id,
  label,
  hint,
  value,
  onType,
  problem = null,
  placeholder = "",
  kind = "address",
  autoFocus = false,
}: EntryProps) => {
  const described = [hint === undefined ? "" : `${id}-hint`, problem === null ? "" : `${id}-problem`]
  const box = {
    id,
    class: "entry-box",
    inputMode: kind === "address" ? "url" : "text",
    dir: "ltr",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: false,
    maxLength: kind === "name" ? accountLimits.mostName : 2_000,
    placeholder,
    value,
    autoFocus,
    "aria-invalid": problem !== null,
    "aria-describedby": described.join(" ").trim() || undefined,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onType(event.currentTarget.value),
  } as const
  return (
    <div class="entry">
      <label class="entry-name" for={id}>
        {label}
      </label>
      {kind === "secret" ? <input {...box} type="password" /> : <input {...box} type="text" />}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="entry-hint">
          {hint}
        </p>
      )}
      <div role="alert">
        {problem === null ? null : (
          <p id={`${id}-problem`} class="entry-problem">
            <Icon name="warning" /> {problem}
          </p>
        )}
      </div>
    </div>
  )
}

/** Confirms an action. The element is always present, so that a screen reader announces the text when it appears. */
export const Done = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="done" role="status">
    {children === null ? null : (
      <>
        <Icon name="ok" /> <span>{children}</span>
      </>
    )}
  </p>
)
