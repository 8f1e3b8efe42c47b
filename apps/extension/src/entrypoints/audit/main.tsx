/** The audit of API keys, hung up on the browser. */
import { render } from "preact"
import { Audit } from "../../ui/audit/Audit.tsx"
import "../../ui/audit/audit.css"
import * as Background from "../../ui/Background.ts"
import * as Focus from "../../ui/Focus.ts"
import { BackgroundContext } from "../../ui/Live.ts"
import * as Message from "../../ui/Message.ts"
import "../../ui/theme.css"
import "../../ui/pages.css"
import * as Theme from "../../ui/Theme.ts"

Theme.recall()
Focus.keep()
Message.introduce("auditTitle")
render(
  <BackgroundContext.Provider value={Background.make()}>
    <Audit />
  </BackgroundContext.Provider>,
  document.body,
)
