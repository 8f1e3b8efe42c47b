/** Every page of the extension in each of its states. */
import { accountScenes } from "./AccountScenes.ts"
import { exportScenes } from "./ExportScenes.ts"
import { optionsScenes } from "./OptionsScenes.ts"
import { popupScenes } from "./PopupScenes.ts"
import type { Scene } from "./Scene.ts"
import { welcomeScenes } from "./WelcomeScenes.ts"

export const scenes: ReadonlyArray<Scene> = [
  ...popupScenes,
  ...optionsScenes,
  ...welcomeScenes,
  ...exportScenes,
  ...accountScenes,
]
