/**
 * Styles as constructed sheets: those of the extension's element, the user's choice of theme, and what each part of the script brings along.
 */
import styles from "./host.css?inline"
import type { Theme } from "../../messages/AppState.ts"

const sheet = (text: string): CSSStyleSheet => {
  const made = new CSSStyleSheet()
  made.replaceSync(text)
  return made
}

const theme = sheet("")

/** The sheets of the root from the start. */
export const all: Array<CSSStyleSheet> = [sheet(styles), theme]

/** Shows everything that stands and everything to come in a theme. */
export const setTheme = (chosen: Theme): void =>
  theme.replaceSync(chosen === "system" ? "" : `:host { color-scheme: ${chosen} !important }`)

/** Adds the styles of a part to those of a root. */
export const add = (root: ShadowRoot, text: string): void => {
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(text)]
}
