/**
 * The popup, registered with the browser. The same page also opens in a tab or window of its own for the subject of its query, on request of the
 * panel beside a listing and of the browser's menus, and it is the side panel of the window.
 */
import { render } from "preact"
import * as Age from "../../ui/kit/Age.ts"
import * as Background from "../../ui/state/Background.ts"
import * as Focus from "../../ui/kit/Focus.ts"
import { BackgroundContext } from "../../ui/state/Live.ts"
import * as Message from "../../ui/kit/Message.ts"
import { Popup } from "../../ui/popup/Popup.tsx"
import "../../ui/popup/changes/changes.css"
import "../../ui/popup/link/linkPage.css"
import "../../ui/popup/onpage/onPage.css"
import "../../ui/popup/popup.css"
import { begin } from "../../ui/popup/search/Search.ts"
import type { Found } from "../../ui/popup/search/Search.ts"
import * as Subject from "../../ui/popup/search/Subject.ts"
import * as Tab from "../../ui/state/Tab.ts"
import "../../ui/kit/theme.css"
import * as Theme from "../../ui/state/Theme.ts"

const background = Background.make()
const link = new URLSearchParams(location.search).get("link")
const subject = Subject.of(location.search)
/** The first rows, requested while the page is prepared; null if the popup opens with other rows. */
const rows = link === null && subject._tag !== "Search" ? begin(background) : null
Theme.recall()
Focus.keep()
Message.introduce("popupTitle")
document.documentElement.dataset["place"] = Tab.place()
const show = (subject: Subject.Subject, begun: Found | null = null): void =>
  render(
    <BackgroundContext.Provider value={background}>
      <Popup subject={subject} begun={begun} />
    </BackgroundContext.Provider>,
    document.body,
  )
if (link !== null)
  void import("../../ui/popup/search/Link.ts")
    .then(({ subjectOf }) => subjectOf(background, link))
    .then((found) => show(found))
else if (rows === null) show(subject)
else {
  void rows.then((begun) => show(subject, begun))
  Age.prepare()
}
