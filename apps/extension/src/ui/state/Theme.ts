/**
 * Light, dark or the system's. The choice is kept by the background and mirrored where a page finds it before its first paint, so that
 * nothing flashes.
 */
import type { Theme } from "../../messages/AppState.ts"

const mirror = "theme"

const isTheme = (value: string | null): value is Theme =>
  value === "system" || value === "light" || value === "dark"

const apply = (theme: Theme): void => {
  document.documentElement.dataset["theme"] = theme
}

/** Takes the choice that was last seen. Called before anything is drawn. */
export const recall = (): void => {
  const known = localStorage.getItem(mirror)
  apply(isTheme(known) ? known : "system")
}

export const follow = (theme: Theme): void => {
  if (document.documentElement.dataset["theme"] === theme) return
  localStorage.setItem(mirror, theme)
  apply(theme)
}
