/** The page on which a link of a listing site becomes a pattern, registered with the browser. Its query names the tab and the site. */
import { render } from "preact"
import * as Background from "../../ui/state/Background.ts"
import * as Focus from "../../ui/kit/Focus.ts"
import { BackgroundContext } from "../../ui/state/Live.ts"
import * as Message from "../../ui/kit/Message.ts"
import { Teach } from "../../ui/teach/Teach.tsx"
import { subjectOf } from "../../ui/teach/Choosing.ts"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import "../../ui/teach/teach.css"
import * as Theme from "../../ui/state/Theme.ts"

Theme.recall()
Focus.keep()
Message.introduce("teachTitle")
render(
  <BackgroundContext.Provider value={Background.make()}>
    <Teach {...subjectOf(location.search)} />
  </BackgroundContext.Provider>,
  document.body,
)
