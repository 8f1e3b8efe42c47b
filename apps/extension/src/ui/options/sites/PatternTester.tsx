/**
 * Tests an address of a site: shows the slug or id that each pattern finds in it, and whether the index knows a listing by one of them. It also tests
 * a pattern that is typed but not yet added, and proposes patterns for the address. The address stays in the browser.
 */
import { useEffect, useState } from "preact/hooks"
import type { Site } from "../../../messages/AppState.ts"
import type { Background } from "../../state/Background.ts"
import { Entry } from "../../forms/Entry.tsx"
import { Icon } from "../../kit/Icon.tsx"
import { useBackground, useAction } from "../../state/Live.ts"
import { number, plural, text } from "../../kit/Message.ts"
import * as Reference from "../../../address/Reference.ts"
import { readAddress } from "../../forms/TypedAddress.ts"
import { ErrorNotice } from "../../advice/Notice.tsx"
import * as Derive from "./Derive.ts"
import * as Learn from "./Learn.ts"
import * as PageLinks from "./PageLinks.ts"
import { Button } from "../../kit/Button.tsx"

/** Longest title, in characters; there is no room for more. */
const longest = 160

interface Offer extends Pick<Derive.Proposal, "listing" | "pattern"> {
  /** What the pattern finds on an open page of the site; null if none is open. */
  readonly count: Learn.Count | null
}

/**
 * Patterns derived from the tested address, with what each finds in it and on an open page of the site, before any is saved; and the pattern that
 * excludes only this address.
 */
const Suggestions = ({
  url,
  patterns,
  isBusy,
  onUse,
  onExclude,
}: {
  readonly url: URL
  /** Those of the site. */
  readonly patterns: ReadonlyArray<string>
  readonly isBusy: boolean
  /** Puts a pattern into the field where it can be changed, tested and added. */
  readonly onUse: (pattern: string) => void
  readonly onExclude: (pattern: string) => void
}) => {
  const background = useBackground()
  const [offers, setOffers] = useState<ReadonlyArray<Offer> | null>(null)
  const deriving = useAction(setOffers)
  const address = url.pathname + url.search + url.hash
  const exclusion = Derive.exclusionOf(address)
  const derive = async (): Promise<ReadonlyArray<Offer>> => {
    const { known, listing } = background.index
    const links = await PageLinks.ofSite(url.origin)
    const proposals = await Derive.propose(address, url.href, listing, links)
    const offers = await Promise.all(
      proposals.map(async ({ listing, pattern }) => {
        const count =
          links.length === 0 ? null : await Learn.find(pattern, links, url.origin, patterns, known)
        return { count, listing, pattern }
      }),
    )
    return offers.toSorted((one, other) => (other.count?.known ?? 0) - (one.count?.known ?? 0))
  }
  return (
    <>
      <div class="tester-result" role="status">
        {offers === null ? null : offers.length === 0 ? (
          <p>{text("teachNothing")}</p>
        ) : (
          <dl class="tester-found">
            {offers.map(({ count, listing, pattern }) => (
              <div key={pattern}>
                <dt>
                  <Button kinds="small" onClick={() => onUse(pattern)}>
                    {text("teachUse")} <code dir="ltr">{pattern}</code>
                  </Button>
                </dt>
                <dd>
                  <bdi class="tester-title">{listing.title?.slice(0, longest) ?? text("noListing")}</bdi>
                  {" · "}
                  {plural("contracts", listing.total)}
                  {count === null ? null : (
                    <p class="quiet">{text("teachFinds", number(count.found), number(count.known))}</p>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <p class="form-end">
        {exclusion === null ? null : (
          <Button disabled={isBusy} aria-description={exclusion} onClick={() => onExclude(exclusion)}>
            {text("teachExclude")}
          </Button>
        )}
        <Button disabled={deriving.isBusy} onClick={() => deriving.run(derive)}>
          {text("teachSuggest")}
        </Button>
      </p>
      <ErrorNotice error={deriving.error} />
    </>
  )
}

type AddressTrial =
  | { readonly _tag: "NotAnAddress" }
  | { readonly _tag: "OtherSite" }
  | {
      readonly _tag: "Read"
      readonly url: URL
      /** Each pattern with the reference that it finds: empty where it excludes the address, null where it does not fit. */
      readonly found: ReadonlyArray<{ readonly pattern: string; readonly reference: string | null }>
      /** All references that are looked up, the likeliest first. */
      readonly references: ReadonlyArray<string>
    }

/**
 * Reads an address with a site's patterns, by the same rules as the links of a page: what each pattern finds in it, and the parts that are looked up
 * without any. A text that starts with a slash is a path of the site.
 */
export const tryAddress = (typed: string, origin: string, patterns: ReadonlyArray<string>): AddressTrial => {
  const trimmed = typed.trim()
  const address = readAddress(trimmed.startsWith("/") ? origin + trimmed : trimmed)
  if (address._tag === "Unusable" && address.problem === "typedNoAddress") return { _tag: "NotAnAddress" }
  if (address._tag === "Unusable" || address.url.origin !== origin) return { _tag: "OtherSite" }
  const { url } = address
  const href = url.pathname + url.search + url.hash
  const [segments, query] = Reference.cut(href)
  const found = patterns
    .filter((pattern) => pattern !== Reference.onlyPatterns)
    .map((pattern) => {
      const parsed = Reference.parsePattern(pattern)
      return { pattern, reference: parsed === null ? null : Reference.matchPattern(parsed, segments, query) }
    })
  return { _tag: "Read", url, found, references: [...new Set(Reference.reader(patterns, origin)(href))] }
}

/** Delay after the last keystroke before the index is queried. */
const pauseMillis = 200

type Known =
  | { readonly _tag: "Asking" }
  | { readonly _tag: "Listing"; readonly title: string | null; readonly contracts: number }
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "NoAnswer" }

const lookup = async (background: Background, references: ReadonlyArray<string>): Promise<Known> => {
  for (const reference of references) {
    const listing = await background.index.listing(reference)
    if (listing !== null) return { _tag: "Listing", title: listing.title, contracts: listing.rows.length }
  }
  return { _tag: "Unknown" }
}

const useKnown = (references: ReadonlyArray<string>): Known | null => {
  const background = useBackground()
  const [known, setKnown] = useState<Known | null>(null)
  const wanted = references.join("\n")
  useEffect(() => {
    if (wanted === "") return setKnown(null)
    let isCurrent = true
    setKnown({ _tag: "Asking" })
    const timer = setTimeout(() => {
      void lookup(background, wanted.split("\n"))
        .catch((): Known => ({ _tag: "NoAnswer" }))
        .then((answer) => {
          if (isCurrent) setKnown(answer)
        })
    }, pauseMillis)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [background, wanted])
  return known
}

const Verdict = ({ known }: { readonly known: Known | null }) => {
  if (known === null || known._tag === "Asking") return null
  if (known._tag === "NoAnswer") return <p class="tester-verdict">{text("noAnswer")}</p>
  if (known._tag === "Unknown") {
    return (
      <p class="tester-verdict" data-outcome="skipped">
        <Icon name="skipped" /> {text("testerUnknown")}
      </p>
    )
  }
  return (
    <p class="tester-verdict" data-outcome="ok">
      <Icon name="ok" />
      <span>
        {text("testerKnown")}{" "}
        <bdi class="tester-title">{known.title?.slice(0, longest) ?? text("noListing")}</bdi>
        {" · "}
        {plural("contracts", known.contracts)}
      </span>
    </p>
  )
}

const Found = ({ trial }: { readonly trial: Extract<AddressTrial, { readonly _tag: "Read" }> }) => (
  <dl class="tester-found">
    {trial.found.map(({ pattern, reference }) => (
      <div key={pattern}>
        <dt>
          <code dir="ltr">{pattern}</code>
        </dt>
        <dd>
          {reference === null ? (
            text("testerNoFit")
          ) : reference === "" ? (
            text("testerExcluded")
          ) : (
            <code dir="ltr">{reference}</code>
          )}
        </dd>
      </div>
    ))}
    <div>
      <dt>{text("testerLooked")}</dt>
      <dd>
        {trial.references.length === 0
          ? text("testerNothing")
          : trial.references.map((reference) => (
              <code key={reference} dir="ltr">
                {reference}
              </code>
            ))}
      </dd>
    </div>
  </dl>
)

/** The id of the field for an address of a site. */
export const testerId = (origin: string): string => `tester-${new URL(origin).host}`

export const Tester = ({
  site,
  draft,
  isBusy,
  onUse,
  onExclude,
}: {
  readonly site: Site
  readonly draft: string | null
} & Pick<Parameters<typeof Suggestions>[0], "isBusy" | "onUse" | "onExclude">) => {
  const [typed, setTyped] = useState("")
  const { origin, patterns } = site
  const { host } = new URL(origin)
  const all = draft === null ? patterns : [...new Set([...patterns, draft])]
  const trial = typed.trim() === "" ? null : tryAddress(typed, origin, all)
  const known = useKnown(trial?._tag === "Read" ? trial.references : [])
  return (
    <div class="tester">
      <Entry
        id={testerId(origin)}
        label={text("testerLabel")}
        hint={text("testerHint")}
        placeholder={`${origin}/homes/blue-door`}
        value={typed}
        onType={setTyped}
      />
      <div class="tester-result" role="status">
        {trial === null ? null : trial._tag === "NotAnAddress" ? (
          <p>{text("typedNoAddress")}</p>
        ) : trial._tag === "OtherSite" ? (
          <p>{text("testerOtherSite", host)}</p>
        ) : (
          <>
            <Verdict known={known} />
            <Found trial={trial} />
          </>
        )}
      </div>
      {trial?._tag === "Read" ? (
        <Suggestions
          key={trial.url.href}
          url={trial.url}
          patterns={patterns}
          isBusy={isBusy}
          onUse={onUse}
          onExclude={onExclude}
        />
      ) : null}
    </div>
  )
}
