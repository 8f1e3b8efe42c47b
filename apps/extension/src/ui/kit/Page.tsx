/** What every page of the extension has: its theme and title before the first paint, and its background. */
import { render } from "preact"
import type { ComponentChild } from "preact"
import type { MessageName } from "../../BrowserNames.ts"
import * as Background from "../state/Background.ts"
import { BackgroundContext } from "../state/Live.ts"
import * as Theme from "../state/Theme.ts"
import * as Focus from "./Focus.ts"
import * as Message from "./Message.ts"

/** Called before anything is rendered. */
export const prepare = (title: MessageName): void => {
  Theme.recall()
  Focus.keep()
  Message.introduce(title)
}

export const show = (content: ComponentChild, background = Background.make()): void =>
  render(<BackgroundContext.Provider value={background}>{content}</BackgroundContext.Provider>, document.body)
