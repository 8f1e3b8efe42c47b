/** What the popup shows for a link: its listing, or a search for its last part. The address is sent nowhere. */
import * as Menus from "../../../browser-ui/Menus.ts"
import type { Background } from "../../state/Background.ts"
import * as Subject from "./Subject.ts"

export const subjectOf = async (background: Background, address: string): Promise<Subject.Subject> => {
  const page = await Menus.pageOfLink(background.index, address)
  return Subject.of(page.slice(page.indexOf("?")))
}
