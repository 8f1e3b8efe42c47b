import { createContext } from "preact"
import type { ComponentChild, ComponentChildren } from "preact"
import { useContext, useEffect, useState } from "preact/hooks"
import type { ExtensionPage, MessageName } from "../../BrowserNames.ts"
import { Mark } from "./Icon.tsx"
import { text } from "./Message.ts"

/** After this long the browser has no answer for the extension, such as where its storage cannot be opened. */
const longMillis = 10_000

/** What a page shows until the background has sent its state. */
export const Loading = () => {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMillis)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p class="quiet" role="status">
      {isLong ? `${text("noAnswer")} ${text("noAnswerAdvice")}` : text("loading")}
    </p>
  )
}

/** A page with its title, a link to another page, and its content; null until it is known. */
export const Frame = ({
  title,
  link: [href, label],
  as = "",
  places = null,
  children,
}: {
  readonly title: MessageName
  readonly link: readonly [href: ExtensionPage, label: MessageName]
  /** A CSS class. */
  readonly as?: string
  /** Links to the parts of the page. */
  readonly places?: ComponentChildren
  readonly children: ComponentChild
}) => (
  <div class={`page ${as}`.trim()}>
    <header class="page-header">
      <Mark />
      <h1>{text(title)}</h1>
      <a class="page-link" href={href}>
        {text(label)}
      </a>
    </header>
    {places}
    <main class="page-main" aria-busy={children === null}>
      {children ?? <Loading />}
    </main>
  </div>
)

/** The sections of the options page, of which it shows one at a time: the list at the side and other pages lead to them by their ids. */
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

/** The only section that is shown; null for all. */
export const ShownSection = createContext<string | null>(null)

/** A part of a page under its heading. */
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
}) => {
  const shown = useContext(ShownSection)
  return (
    <section class="section" id={id} hidden={shown !== null && shown !== id} aria-labelledby={`${id}-title`}>
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
