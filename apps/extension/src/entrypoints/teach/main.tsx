/** The page on which a link of a listing site becomes a pattern, registered with the browser. Its query names the tab and the site. */
import * as Page from "../../ui/kit/Page.tsx"
import { subjectOf } from "../../ui/teach/Choosing.ts"
import { Teach } from "../../ui/teach/Teach.tsx"
import "../../ui/kit/theme.css"
import "../../ui/kit/pages.css"
import "../../ui/teach/teach.css"

Page.prepare("teachTitle")
Page.show(<Teach {...subjectOf(location.search)} />)
