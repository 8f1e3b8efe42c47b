/** Portuguese is looked over on every page. */
import { firsts, looksOver } from "../Openings.ts"

looksOver("pt_PT", firsts)
