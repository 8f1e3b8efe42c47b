import { isForEverybody } from "./Axe.ts"

isForEverybody(["options"])
