import { isReadInTheDark } from "../Axe.ts"

isReadInTheDark()
