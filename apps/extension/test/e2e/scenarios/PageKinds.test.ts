/** Marks on one page of each mechanism by which sites place and change their cards. `release/PageKinds.test.ts` has all kinds. */
import { eachStaysAsItIs } from "../kinds/EachKind.ts"

eachStaysAsItIs([
  "cards of the server",
  "a fixed header above everything",
  "nested scrollers",
  "a carousel",
  "a modal dialog",
  "areas of a picture",
  "open roots within an open root",
  "a reset of everything",
  "content that is recycled",
  "links to another origin",
])
