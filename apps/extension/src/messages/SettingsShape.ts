/** Shapes of the choices that a user makes: the same in a page's request and in a settings file. */
import * as Shape from "./Shape.ts"

/** Shortest interval between syncs that can be chosen, in minutes. */
export const leastRefreshMinutes = 5

/** The longest one: a month. */
export const mostRefreshMinutes = 31 * 24 * 60

export const address = Shape.text(2_000)

export const settings = {
  theme: Shape.oneOf("system", "light", "dark"),
  refreshMinutes: Shape.orNull(Shape.integer(leastRefreshMinutes, mostRefreshMinutes)),
  toolbarCount: Shape.yesOrNo,
  pill: Shape.yesOrNo,
  keyStorage: Shape.oneOf("device", "session"),
}
