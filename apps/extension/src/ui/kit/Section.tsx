/** A part of the options page: reached by its anchor from the list at the side and from other pages. */
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

export type SectionId = (typeof sections)[number][0]

export const Section = ({
  id,
  intro,
  children,
}: {
  readonly id: SectionId
  readonly intro?: string
  readonly children: ComponentChildren
}) => {
  const title = sections.find(([known]) => known === id)?.[1] ?? "optionsTitle"
  return (
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
}
