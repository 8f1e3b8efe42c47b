/** The page on which a link becomes a pattern, in each of its states. */
import type { AppState } from "../../../src/messages/AppState.ts"
import type { Scene } from "./Scene.ts"
import { ready, world } from "./Worlds.ts"

const homes = ["olive-loft", "florentin-garden", "shared-house", "garden-flat"]
const links = [...homes.map((slug, at) => `/rent/${slug}-r${70 + at}`), "/about", "/contact"]

const teach = (name: string, more: Partial<Scene>, state: AppState = ready): Scene => ({
  page: "teach",
  name,
  address: "?tab=3&site=https%3A%2F%2Fhomes.example",
  world: world(state),
  size: [820, 640],
  isPictured: false,
  ...more,
})

export const teachScenes: ReadonlyArray<Scene> = [
  teach("waiting", { size: [820, 320] }),
  teach("chosen", {
    choice: { chosen: links[0]!, links },
    act: (tab) => tab.reads("Links that this pattern finds"),
  }),
  teach("added", {
    choice: { chosen: links[0]!, links },
    act: async (tab) => {
      await tab.reads("Links that this pattern finds")
      await tab.click("button", "Add pattern")
      await tab.reads("Pattern added.")
    },
  }),
  teach("nothing-known", {
    choice: { chosen: "/about", links },
    act: (tab) => tab.reads("This address contains no slug"),
    size: [820, 320],
  }),
  teach("not-allowed", { size: [820, 320] }, { ...ready, sites: [] }),
  teach("hostile", {
    choice: { chosen: `/rent/olive-loft-r7?${"W".repeat(1_900)}`, links: [`/<b>${"x".repeat(1_900)}`] },
    act: (tab) => tab.reads("Deedkit does not recognize this link yet."),
    size: [360, 740],
  }),
]
