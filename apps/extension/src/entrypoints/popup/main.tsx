/**
 * The popup, registered with the browser. The same page also opens in a tab or window of its own for the subject of its query, on request of the
 * panel beside a listing and of the browser's menus, and it is the side panel of the window.
 */
import * as Age from "../../ui/kit/Age.ts"
import * as Page from "../../ui/kit/Page.tsx"
import { Popup } from "../../ui/popup/Popup.tsx"
import { beginSearch } from "../../ui/popup/search/Rows.tsx"
import type { Found } from "../../ui/popup/search/Rows.tsx"
import * as Subject from "../../ui/popup/search/Subject.ts"
import * as Background from "../../ui/state/Background.ts"
import * as Tab from "../../ui/state/Tab.ts"
import "../../ui/popup/changes/changes.css"
import "../../ui/popup/link/linkPage.css"
import "../../ui/popup/onpage/onPage.css"
import "../../ui/popup/popup.css"
import "../../ui/kit/theme.css"

const background = Background.make()
const link = new URLSearchParams(location.search).get("link")
const subject = Subject.of(location.search)
/** The first rows, requested while the page is prepared; null if the popup opens with other rows. */
const rows = link === null && subject._tag !== "Search" ? beginSearch(background.index) : null
Page.prepare("popupTitle")
document.documentElement.dataset["place"] = Tab.place()
const show = (subject: Subject.Subject, begun: Found | null = null): void =>
  Page.show(<Popup subject={subject} begun={begun} />, background)
if (link !== null) void Subject.ofLink(background.index, link).then((found) => show(found))
else if (rows === null) show(subject)
else {
  void rows.then((begun) => show(subject, begun))
  Age.prepare()
}
