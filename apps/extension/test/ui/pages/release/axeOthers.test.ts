import { scenes } from "../../gallery/Scenes.ts"
import { areForEverybody } from "../Axe.ts"

areForEverybody(
  scenes.filter(({ page }) => ["welcome", "export"].includes(page)),
  true,
)
