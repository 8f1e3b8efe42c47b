/**
 * The theme: light, dark or the system's. The background stores the choice, and a copy is kept where a page can read it before its first paint, so
 * that nothing flashes.
 */
import type { Theme } from "../../messages/AppState.ts"

const mirror = "theme"

const isTheme = (value: string | null): value is Theme =>
  value === "system" || value === "light" || value === "dark"

const apply = (theme: Theme): void => {
  document.documentElement.dataset["theme"] = theme
}

/** Applies the last known choice. Called before anything is rendered. */
export const recall = (): void => {
  const known = localStorage.getItem(mirror)
  apply(isTheme(known) ? known : "system")
}

export const follow = (theme: Theme): void => {
  if (document.documentElement.dataset["theme"] === theme) return
  localStorage.setItem(mirror, theme)
  apply(theme)
}
