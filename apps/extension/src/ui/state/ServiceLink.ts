/**
 * The address of a contract in the service's own pages, by a template of the user: the specification names no page (Spec: Endpoints). Each service
 * has its own, kept beside the pages' other choices of this browser. A template names no place but the one that the user typed.
 */

/** What stands for the contract's number. */
const idMark = "{id}"

const keyOf = (baseUrl: string): string => `link ${baseUrl}`

const urlOf = (template: string, id: string): URL | null => {
  const address = template.replaceAll(idMark, encodeURIComponent(id))
  return URL.canParse(address) ? new URL(address) : null
}

/** Whether a text can be used: https, no user name, and a place for the number behind the host. */
export const isTemplate = (template: string): boolean => {
  const [one, other] = [urlOf(template, "1"), urlOf(template, "2")]
  return (
    one?.protocol === "https:" &&
    one.username === "" &&
    one.password === "" &&
    one.origin === other?.origin &&
    one.href !== other.href
  )
}

/** The template of a service; empty for none. */
export const template = (baseUrl: string): string => localStorage.getItem(keyOf(baseUrl)) ?? ""

/** Keeps a template; an empty one is forgotten. */
export const keep = (baseUrl: string, typed: string): void => {
  if (typed === "") localStorage.removeItem(keyOf(baseUrl))
  else localStorage.setItem(keyOf(baseUrl), typed)
}

/** The address of a contract; null where there is no template that can be used. */
export const of = (baseUrl: string | null, id: number): string | null => {
  const known = baseUrl === null ? "" : template(baseUrl)
  return isTemplate(known) ? urlOf(known, String(id))!.href : null
}
