import type { ComponentChild, ComponentChildren } from "preact"
import type { ExtensionPage, MessageName } from "../../BrowserNames.ts"
import { Mark } from "./Icon.tsx"
import { text } from "./Message.ts"

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
      {children ?? (
        <p class="quiet" role="status">
          {text("loading")}
        </p>
      )}
    </main>
  </div>
)
