/**
 * Styles as constructed style sheets: those of the extension's element, the user's theme, and those of each part of the script.
 */
import styles from "./host.css?inline"
import type { Theme } from "../../messages/AppState.ts"

const sheet = (text: string): CSSStyleSheet => {
  const made = new CSSStyleSheet()
  made.replaceSync(text)
  return made
}

const theme = sheet("")

/** The sheets that the root has from the start. */
export const all: Array<CSSStyleSheet> = [sheet(styles), theme]

/** Sets the theme of everything that is shown now or later. */
export const setTheme = (chosen: Theme): void =>
  theme.replaceSync(chosen === "system" ? "" : `:host { color-scheme: ${chosen} !important }`)

/** Adds the styles of a part to those of a root. */
export const add = (root: ShadowRoot, text: string): void => {
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(text)]
}
