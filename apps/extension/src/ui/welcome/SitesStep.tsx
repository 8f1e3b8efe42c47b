/**
 * The task of the third screen: the sites whose listings get badges. One is enough to begin with, and none is fine, because the popup works without
 * sites.
 */
import type { AppState } from "../../messages/AppState.ts"
import { SiteForm } from "../forms/SiteForm.tsx"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"

export const SitesStep = ({
  state,
  onState,
  onNext,
}: {
  readonly state: AppState
  readonly onState: (state: AppState) => void
  readonly onNext: () => void
}) => {
  const granted = state.sites.filter(({ isGranted }) => isGranted)
  return (
    <>
      <SiteForm state={state} onDone={onState} isOnly={granted.length === 0} />
      {granted.length === 0 ? null : (
        <>
          <ul class="welcome-sites" aria-label={text("optionsSites")}>
            {granted.map(({ origin }) => (
              <li key={origin}>
                <Icon name="ok" /> <bdi>{new URL(origin).host}</bdi>
              </li>
            ))}
          </ul>
          <p class="form-end">
            <button type="button" class="button button-main" onClick={onNext}>
              {text("welcomeNext")}
            </button>
          </p>
        </>
      )}
    </>
  )
}
