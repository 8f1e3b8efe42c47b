/**
 * A recipe: the patterns of one site as JSON that people can share, including its exclusions. It holds no other choices of the user, and no other
 * members are read.
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

/** Maximum size of a file, in bytes: the maximum number of patterns of the maximum length, as JSON. */
export const mostBytes = 100_000

/** The limits of the background. */
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

/** Parses a recipe; null if the text is not a recipe or contains a pattern that cannot be parsed. */
export const read = (text: string): Recipe | null => {
  try {
    const value: unknown = JSON.parse(text)
    const isRight = isRecipe(value) && value.patterns.every((pattern) => Pattern.parse(pattern) !== null)
    return isRight ? value : null
  } catch {
    return null
  }
}
