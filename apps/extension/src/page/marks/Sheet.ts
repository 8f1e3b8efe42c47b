/**
 * The styles of badges, card and panel as constructed sheets. They take nothing from the page but the size of its text and whether it is
 * light or dark, and the user's choice of theme goes before the latter.
 */
import styles from "./listing.css?inline"
import type { Theme } from "../../messages/AppState.ts"

const sheet = (text: string): CSSStyleSheet => {
  const made = new CSSStyleSheet()
  made.replaceSync(text)
  return made
}

const theme = sheet("")

/** The sheets of every root, shared by all. */
export const all: Array<CSSStyleSheet> = [sheet(styles), theme]

/** Shows everything that stands and everything to come in a theme. */
export const setTheme = (chosen: Theme): void =>
  theme.replaceSync(chosen === "system" ? "" : `:host { color-scheme: ${chosen} !important }`)
