/**
 * The site in front of the popup: its switch when it was added, a way to add it when it was not. Permission is asked for in a tab, because
 * browsers hide or lose such a prompt under a popup.
 */
import type { Site } from "../../messages/AppState.ts"
import { Icon } from "../Icon.tsx"
import { text } from "../Message.ts"
import { Switch } from "../Switch.tsx"

export const SiteBar = ({
  origin,
  site,
  onSwitch,
  onAdd,
}: {
  readonly origin: string
  readonly site: Site | null
  readonly onSwitch: (isOn: boolean) => void
  readonly onAdd: () => void
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
          <button type="button" class="button button-small" onClick={onAdd}>
            {site === null ? text("siteAdd") : text("siteAllowAgain")}
            <Icon name="out" />
          </button>
        </>
      )}
    </footer>
  )
}
