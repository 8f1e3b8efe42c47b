/** The view that replaces the list: a contract, the listings of the page in front, linking that page, or the changes. Leaving a view returns to where it was opened. */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { later } from "../kit/Later.tsx"
import type { FrontPage } from "../state/Tab.ts"
import { Detail } from "./detail/Detail.tsx"
import type { View } from "./Footer.tsx"

const Changes = later(() => import("./changes/Changes.tsx").then((loaded) => loaded.Changes))
const LinkPage = later(() => import("./link/LinkPage.tsx").then((loaded) => loaded.LinkPage))
const LinkCards = later(() => import("./link/LinkCards.tsx").then((loaded) => loaded.LinkCards))
const OnPage = later(() => import("./onpage/OnPage.tsx").then((loaded) => loaded.OnPage))

export const Aside = ({
  view,
  page,
  state,
  now,
  revision,
  onState,
  onView,
}: {
  readonly view: NonNullable<View>
  readonly page: FrontPage | null
  readonly state: AppState | null
  readonly now: number
  /** Changes whenever the index may have changed. */
  readonly revision: string
  readonly onState: (state: AppState) => void
  readonly onView: (view: View) => void
}) => {
  const [from, setFrom] = useState<View>(null)
  const toList = (): void => onView(null)
  if (view === "page") return <OnPage page={page} now={now} revision={revision} onBack={toList} />
  if (view === "link" || view === "cards") {
    if (page === null || state === null) return null
    const linking = { page, state, onState, onBack: toList }
    return view === "cards" ? (
      <LinkCards key={page.url.href} {...linking} />
    ) : (
      <LinkPage key={page.url.href} {...linking} onCards={() => onView("cards")} />
    )
  }
  if (view !== "changes") {
    return <Detail key={view} id={view} state={state} now={now} onOpen={onView} onBack={() => onView(from)} />
  }
  const open = (id: number): void => {
    setFrom("changes")
    onView(id)
  }
  return state === null ? null : <Changes state={state} now={now} onOpen={open} onBack={toList} />
}
