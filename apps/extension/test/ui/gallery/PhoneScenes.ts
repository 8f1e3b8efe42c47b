/** What a phone shows: scenes of every page in a window of its size, touched by a finger, in a browser without keys and menus. */
import type { Scene } from "./Scene.ts"
import { scenes } from "./Scenes.ts"

const names = [
  "popup here",
  "popup on-page",
  "popup detail",
  "popup not-set-up",
  "popup sync-paused",
  "popup smaller",
  "popup site-unknown",
  "popup accounts",
  "options set-up",
  "options site-wanted",
  "options accounts",
  "options transfer-chosen-narrow",
  "welcome key",
  "welcome done-narrow",
  "export choices",
  "export made",
]

const onPhone = (scene: Scene): Scene => ({
  ...scene,
  name: `phone-${scene.name}`,
  size: [360, 740],
  isTouched: true,
  isPictured: false,
})

export const phoneScenes: ReadonlyArray<Scene> = scenes
  .filter(({ name, page }) => names.includes(`${page} ${name}`))
  .map(onPhone)

if (phoneScenes.length !== names.length) throw new Error("a scene of the phone's has another name now")
