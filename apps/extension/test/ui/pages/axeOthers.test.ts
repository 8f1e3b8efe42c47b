import { isForEverybody } from "./Axe.ts"

isForEverybody(["welcome", "export", "audit", "teach"])
