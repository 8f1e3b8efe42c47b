/**
 * The popup, hung up on the browser. The same page opens in a tab of its own for a contract or a listing that its query names, as the panel
 * beside a listing asks for.
 */
import { render } from "preact"
import * as Background from "../../ui/Background.ts"
import { BackgroundContext } from "../../ui/Live.ts"
import * as Message from "../../ui/Message.ts"
import { Popup } from "../../ui/popup/Popup.tsx"
import "../../ui/popup/popup.css"
import * as Subject from "../../ui/popup/Subject.ts"
import * as Tab from "../../ui/Tab.ts"
import "../../ui/theme.css"
import * as Theme from "../../ui/Theme.ts"

Theme.recall()
Message.introduce("popupTitle")
document.documentElement.dataset["place"] = Tab.isPopup() ? "popup" : "tab"
render(
  <BackgroundContext.Provider value={Background.make()}>
    <Popup subject={Subject.of(location.search)} />
  </BackgroundContext.Provider>,
  document.body,
)
