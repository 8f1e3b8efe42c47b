/** What every page of the extension has: its theme and title before the first paint, its background, and, if it is a whole page, its head. */
import { render } from "preact"
import type { ComponentChild, ComponentChildren } from "preact"
import type { ExtensionPage, MessageName } from "../../BrowserNames.ts"
import * as Background from "../state/Background.ts"
import { BackgroundContext } from "../state/Live.ts"
import * as Theme from "../state/Theme.ts"
import * as Focus from "./Focus.ts"
import { Mark } from "./Icon.tsx"
import * as Message from "./Message.ts"

/** Called before anything is rendered. */
export const prepare = (title: MessageName): void => {
  Theme.recall()
  Focus.keep()
  Message.introduce(title)
}

export const show = (content: ComponentChild, background = Background.make()): void =>
  render(<BackgroundContext.Provider value={background}>{content}</BackgroundContext.Provider>, document.body)

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
      <h1>{Message.text(title)}</h1>
      <a class="page-link" href={href}>
        {Message.text(label)}
      </a>
    </header>
    {places}
    <main class="page-main" aria-busy={children === null}>
      {children ?? (
        <p class="quiet" role="status">
          {Message.text("loading")}
        </p>
      )}
    </main>
  </div>
)
