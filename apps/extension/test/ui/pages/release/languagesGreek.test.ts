/** Greek has the longest words, and is looked over in every state. */
import { all, looksOver } from "../Openings.ts"

looksOver("el", all)
