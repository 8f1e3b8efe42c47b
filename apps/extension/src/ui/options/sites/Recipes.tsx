/**
 * Exports and imports a site's patterns. An imported file is first checked by its size, then shown with every pattern that it would add, and added on
 * a further click.
 */
import { useState } from "preact/hooks"
import type { Site } from "../../../messages/AppState.ts"
import { Icon } from "../../kit/Icon.tsx"
import { plural, text } from "../../kit/Message.ts"
import { saveFile } from "../../kit/SaveFile.ts"
import * as Recipe from "./Recipe.ts"

/** The content of a chosen file: patterns that the site does not have, or why they cannot be added. */
type Chosen = { readonly patterns: ReadonlyArray<string> } | { readonly problem: string }

const look = async (file: File, { origin, patterns }: Site): Promise<Chosen> => {
  const content = file.size > Recipe.mostBytes ? "" : await file.text().catch(() => "")
  const recipe = Recipe.read(content)
  if (recipe === null) return { problem: text("recipeInvalid") }
  if (recipe.site !== origin) return { problem: text("recipeOtherSite", recipe.site) }
  const added = [...new Set(recipe.patterns)].filter((pattern) => !patterns.includes(pattern))
  if (added.length === 0) return { problem: text("recipeNothing") }
  const { mostPatterns } = Recipe
  return patterns.length + added.length > mostPatterns
    ? { problem: text("patternsFull", String(mostPatterns)) }
    : { patterns: added }
}

export const Recipes = ({
  site,
  isBusy,
  onAdd,
}: {
  readonly site: Site
  readonly isBusy: boolean
  readonly onAdd: (patterns: ReadonlyArray<string>) => void
}) => {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { host } = new URL(site.origin)
  const id = `recipe-${host}`
  return (
    <div class="tester">
      <div class="entry">
        <label class="entry-name" for={id}>
          {text("recipeAdd")}
        </label>
        <input
          id={id}
          class="entry-box"
          type="file"
          accept="application/json,.json"
          disabled={isBusy}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            setChosen(null)
            if (file !== undefined) void look(file, site).then(setChosen)
            currentTarget.value = ""
          }}
        />
        <p id={`${id}-hint`} class="entry-hint">
          {text("recipeHint")}
        </p>
      </div>
      <div class="tester-result" role="status">
        {chosen === null ? null : "problem" in chosen ? (
          <p>
            <Icon name="warning" /> {chosen.problem}
          </p>
        ) : (
          <>
            <p>{plural("transferPatternsAdded", chosen.patterns.length)}</p>
            <ul class="pattern-list">
              {chosen.patterns.map((pattern) => (
                <li key={pattern}>
                  <code dir="ltr">{pattern}</code>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <p class="form-end">
        {chosen === null || "problem" in chosen ? null : (
          <>
            <button type="button" class="button" onClick={() => setChosen(null)}>
              {text("keepIt")}
            </button>
            <button
              type="button"
              class="button button-main"
              disabled={isBusy}
              onClick={() => {
                onAdd(chosen.patterns)
                setChosen(null)
              }}
            >
              {text("recipeUse")}
            </button>
          </>
        )}
        {site.patterns.length === 0 ? null : (
          <button
            type="button"
            class="button"
            onClick={() => saveFile(`deedkit-recipe-${host.replace(":", "-")}.json`, Recipe.write(site))}
          >
            {text("recipeSave")}
          </button>
        )}
      </p>
    </div>
  )
}
