/**
 * A recipe: the patterns of one site as JSON that people hand on, with what it excludes. It holds no choice of the user beyond these, and nothing
 * that is not named here is read.
 */
import * as Pattern from "../../../address/LinkPattern.ts"
import * as Shape from "../../../messages/Shape.ts"
import type { Site } from "../../../messages/AppState.ts"

export interface Recipe {
  readonly format: "deedkit-recipe"
  readonly version: 1
  /** The origin of the site, such as `https://homes.example`. */
  readonly site: string
  readonly patterns: ReadonlyArray<string>
}

/** Bytes of a file that is read: the most patterns of the greatest length, written as JSON. */
export const mostBytes = 100_000

/** The background's own limits. */
export const mostPatterns = 50
const longestPattern = 500

const isRecipe: Shape.Shape<Recipe> = Shape.object({
  format: Shape.oneOf("deedkit-recipe"),
  version: Shape.oneOf(1),
  site: Shape.text(2_000),
  patterns: Shape.listOf(Shape.text(longestPattern), mostPatterns),
})

export const write = ({ origin, patterns }: Pick<Site, "origin" | "patterns">): string => {
  const recipe: Recipe = { format: "deedkit-recipe", version: 1, site: origin, patterns }
  return `${JSON.stringify(recipe, null, 2)}\n`
}

/** The recipe that a text is; null when it is none, or when a pattern of it cannot be read. */
export const read = (text: string): Recipe | null => {
  try {
    const value: unknown = JSON.parse(text)
    const isRight = isRecipe(value) && value.patterns.every((pattern) => Pattern.parse(pattern) !== null)
    return isRight ? value : null
  } catch {
    return null
  }
}
