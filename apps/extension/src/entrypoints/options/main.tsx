/** The options page, registered with the browser. A query may name the site that it was opened for. */
import { text } from "../../ui/kit/Message.ts"
import * as Page from "../../ui/kit/Page.tsx"
import { Options } from "../../ui/options/Options.tsx"
import * as Background from "../../ui/state/Background.ts"
import { telling } from "../../ui/state/TestWords.ts"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"

Page.prepare("optionsTitle")
Page.show(
  <Options wantedSite={new URLSearchParams(location.search).get("site") ?? ""} />,
  Background.make(telling(text)),
)
