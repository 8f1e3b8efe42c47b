/**
 * The site in front of the popup: its switch if it was added; otherwise a button to add it, and badges for the page in front only. Permission is
 * requested in a tab, because browsers hide or lose such a prompt under a popup. Opening the popup on a page gives permission for that page.
 */
import type { Site } from "../../messages/AppState.ts"
import { Icon } from "../kit/Icon.tsx"
import { text } from "../kit/Message.ts"
import { Switch } from "../kit/Switch.tsx"

export const SiteBar = ({
  origin,
  site,
  onSwitch,
  onAdd,
  onOnce,
}: {
  readonly origin: string
  readonly site: Site | null
  readonly onSwitch: (isOn: boolean) => void
  readonly onAdd: () => void
  readonly onOnce: () => void
}) => {
  const host = <bdi class="site-host">{new URL(origin).host}</bdi>
  return (
    <footer class="site-bar">
      {site !== null && site.isGranted ? (
        <Switch isOn={site.isOn} onChange={onSwitch}>
          {text("siteBadges")} {host}
        </Switch>
      ) : (
        <>
          <span class="site-name">
            {site === null ? text("siteUnknown") : text("siteTakenBack")} {host}
          </span>
          <button
            type="button"
            class="button button-small button-quiet"
            title={text("siteOnceHint")}
            onClick={onOnce}
          >
            {text("siteOnce")}
          </button>
          <button type="button" class="button button-small" onClick={onAdd}>
            {site === null ? text("siteAdd") : text("siteAllowAgain")}
            <Icon name="out" />
          </button>
        </>
      )}
    </footer>
  )
}
