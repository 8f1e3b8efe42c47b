/**
 * Patterns derived from the tested address, proposed with what each finds in it before any is saved; and the pattern that excludes only this address.
 */
import { useState } from "preact/hooks"
import { ErrorNotice } from "../../advice/Notice.tsx"
import { plural, text } from "../../kit/Message.ts"
import { useAction, useBackground } from "../../state/Live.ts"
import * as Derive from "./Derive.ts"

export const Teach = ({
  url,
  isBusy,
  onUse,
  onExclude,
}: {
  readonly url: URL
  readonly isBusy: boolean
  /** Puts a pattern into the field where it can be changed, tested and added. */
  readonly onUse: (pattern: string) => void
  readonly onExclude: (pattern: string) => void
}) => {
  const background = useBackground()
  const [proposals, setProposals] = useState<ReadonlyArray<Derive.Proposal> | null>(null)
  const deriving = useAction(setProposals)
  const address = url.pathname + url.search + url.hash
  const exclusion = Derive.exclusionOf(address)
  const derive = (): Promise<ReadonlyArray<Derive.Proposal>> =>
    Derive.propose(address, url.href, (reference) => background.ask({ type: "page.listing", reference }))
  return (
    <>
      <div class="tester-result" role="status">
        {proposals === null ? null : proposals.length === 0 ? (
          <p>{text("teachNothing")}</p>
        ) : (
          <dl class="tester-found">
            {proposals.map(({ listing, pattern }) => (
              <div key={pattern}>
                <dt>
                  <button type="button" class="button button-small" onClick={() => onUse(pattern)}>
                    {text("teachUse")} <code dir="ltr">{pattern}</code>
                  </button>
                </dt>
                <dd>
                  <bdi class="tester-title">{listing.title?.slice(0, 160) ?? text("noListing")}</bdi>
                  {" · "}
                  {plural("contracts", listing.total)}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <p class="form-end">
        {exclusion === null ? null : (
          <button
            type="button"
            class="button"
            disabled={isBusy}
            aria-description={exclusion}
            onClick={() => onExclude(exclusion)}
          >
            {text("teachExclude")}
          </button>
        )}
        <button type="button" class="button" disabled={deriving.isBusy} onClick={() => deriving.run(derive)}>
          {text("teachSuggest")}
        </button>
      </p>
      <ErrorNotice error={deriving.error} />
    </>
  )
}
