/** Homes as a program of React that owns the whole document, as frameworks on top of React have it. */
import { createElement as made } from "react"
import { Homes } from "./React.ts"

const page = (first: number) =>
  made(
    "html",
    { lang: "en" },
    made("head", null, made("title", null, "Homes")),
    made("body", null, made("main", null, made(Homes, { first }))),
  )

export const render = async (first: number): Promise<string> => {
  const { renderToString } = await import("react-dom/server")
  return `<!DOCTYPE html>${renderToString(page(first))}`
}

export const hydrate = async (
  { ownerDocument }: Element,
  first: number,
  tell: (what: string) => void,
): Promise<void> => {
  const { hydrateRoot } = await import("react-dom/client")
  hydrateRoot(ownerDocument, page(first), { onRecoverableError: (error) => tell(String(error)) })
}
