/**
 * The popup, hung up on the browser. The same page opens in a tab or window of its own for what its query names, as the panel beside a
 * listing and the browser's menus ask for, and stands at the side of the window.
 */
import { render } from "preact"
import * as Background from "../../ui/Background.ts"
import * as Focus from "../../ui/Focus.ts"
import { BackgroundContext } from "../../ui/Live.ts"
import * as Message from "../../ui/Message.ts"
import { Popup } from "../../ui/popup/Popup.tsx"
import "../../ui/popup/popup.css"
import * as Subject from "../../ui/popup/Subject.ts"
import * as Tab from "../../ui/Tab.ts"
import "../../ui/theme.css"
import * as Theme from "../../ui/Theme.ts"

Theme.recall()
Focus.keep()
Message.introduce("popupTitle")
document.documentElement.dataset["place"] = Tab.place()
const background = Background.make()
const show = (subject: Subject.Subject): void =>
  render(
    <BackgroundContext.Provider value={background}>
      <Popup subject={subject} />
    </BackgroundContext.Provider>,
    document.body,
  )
const link = new URLSearchParams(location.search).get("link")
if (link === null) show(Subject.of(location.search))
else void import("../../ui/popup/Link.ts").then(({ subjectOf }) => subjectOf(background, link)).then(show)
