/** The options page, registered with the browser. A query may name the site that it was opened to add. */
import { render } from "preact"
import * as Background from "../../ui/state/Background.ts"
import { telling } from "../../ui/state/TestWords.ts"
import * as Focus from "../../ui/kit/Focus.ts"
import { BackgroundContext } from "../../ui/state/Live.ts"
import * as Message from "../../ui/kit/Message.ts"
import { Options } from "../../ui/options/Options.tsx"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import * as Theme from "../../ui/state/Theme.ts"

Theme.recall()
Focus.keep()
Message.introduce("optionsTitle")
render(
  <BackgroundContext.Provider value={Background.make(telling(Message.text))}>
    <Options wantedSite={new URLSearchParams(location.search).get("site") ?? ""} />
  </BackgroundContext.Provider>,
  document.body,
)
