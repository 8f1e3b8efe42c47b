/** A part of a page under its heading. Those of the options page are reached by their anchors from the list at the side and from other pages. */
import type { ComponentChildren } from "preact"
import type { MessageName } from "../../BrowserNames.ts"
import { text } from "./Message.ts"

export const sections = [
  ["service", "optionsService"],
  ["sites", "optionsSites"],
  ["contracts", "optionsContracts"],
  ["look", "optionsLook"],
  ["keys", "optionsKeys"],
  ["accounts", "optionsAccounts"],
  ["transfer", "optionsTransfer"],
  ["clear", "optionsClear"],
] as const satisfies ReadonlyArray<readonly [id: string, title: MessageName]>

export const Section = ({
  id,
  title = sections.find(([known]) => known === id)?.[1] ?? "optionsTitle",
  intro,
  children,
}: {
  readonly id: string
  /** Default: that of the part of the options with this id. */
  readonly title?: MessageName
  readonly intro?: string
  readonly children: ComponentChildren
}) => (
  <section class="section" id={id} aria-labelledby={`${id}-title`}>
    <header class="section-header">
      <h2 id={`${id}-title`} tabIndex={-1}>
        {text(title)}
      </h2>
      {intro === undefined ? null : <p>{intro}</p>}
    </header>
    <div class="section-body">{children}</div>
  </section>
)
