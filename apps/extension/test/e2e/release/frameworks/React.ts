/** Homes as a program of React, of the version that it is bundled with. */
import { createElement as made, useState } from "react"

const Card = ({ number }: { readonly number: number }) => {
  const href = `/homes/home-${number}`
  return made(
    "article",
    { className: "card", "data-card": `home-${number}` },
    made("h3", null, made("a", { href }, "Loft ", number, " in ", made("b", null, "Kolonaki"))),
    made(
      "p",
      null,
      40 + number,
      " m² by ",
      made("a", { href: "/agents/anna" }, "Anna"),
      ", ",
      made("a", { href: `${href}#reviews` }, "reviews"),
    ),
  )
}

export const Homes = ({ first }: { readonly first: number }) => {
  const [saved, setSaved] = useState(0)
  const [from, setFrom] = useState(first)
  return made(
    "section",
    null,
    made("button", { name: "save", onClick: () => setSaved((before) => before + 1) }, "Saved ", saved),
    made("button", { name: "more", onClick: () => setFrom((before) => before + 60) }, "Other homes"),
    made(
      "div",
      { className: "grid" },
      [from, from + 1, from + 2].map((number) => made(Card, { key: number, number })),
    ),
  )
}

export const render = async (first: number): Promise<string> => {
  const { renderToString } = await import("react-dom/server")
  return renderToString(made(Homes, { first }))
}

export const hydrate = async (root: Element, first: number, tell: (what: string) => void): Promise<void> => {
  const { hydrateRoot } = await import("react-dom/client")
  hydrateRoot(root, made(Homes, { first }), { onRecoverableError: (error) => tell(String(error)) })
}
