/** The view that replaces the list: a contract, the listings of the page in front, or the changes. Leaving a view returns to where it was opened. */
import { useState } from "preact/hooks"
import type { AppState } from "../../messages/AppState.ts"
import { later } from "../kit/Later.tsx"
import { Detail } from "./detail/Detail.tsx"
import type { View } from "./Footer.tsx"

const Changes = later(() => import("./changes/Changes.tsx").then((loaded) => loaded.Changes))
const OnPage = later(() => import("./onpage/OnPage.tsx").then((loaded) => loaded.OnPage))

export const Aside = ({
  view,
  state,
  now,
  revision,
  onView,
}: {
  readonly view: NonNullable<View>
  readonly state: AppState | null
  readonly now: number
  /** Changes whenever the index may have changed. */
  readonly revision: string
  readonly onView: (view: View) => void
}) => {
  const [from, setFrom] = useState<View>(null)
  const toList = (): void => onView(null)
  if (view === "page") return <OnPage now={now} revision={revision} onBack={toList} />
  if (view !== "changes") {
    return <Detail key={view} id={view} state={state} now={now} onBack={() => onView(from)} />
  }
  const open = (id: number): void => {
    setFrom("changes")
    onView(id)
  }
  return state === null ? null : <Changes state={state} now={now} onOpen={open} onBack={toList} />
}
