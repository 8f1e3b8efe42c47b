/** The audit of API keys, registered with the browser. */
import { render } from "preact"
import { Audit } from "../../ui/audit/Audit.tsx"
import "../../ui/audit/audit.css"
import * as Background from "../../ui/state/Background.ts"
import * as Focus from "../../ui/kit/Focus.ts"
import { BackgroundContext } from "../../ui/state/Live.ts"
import * as Message from "../../ui/kit/Message.ts"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import * as Theme from "../../ui/state/Theme.ts"

Theme.recall()
Focus.keep()
Message.introduce("auditTitle")
render(
  <BackgroundContext.Provider value={Background.make()}>
    <Audit />
  </BackgroundContext.Provider>,
  document.body,
)
