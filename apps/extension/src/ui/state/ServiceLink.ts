/**
 * The address of a contract in the service's own pages, from a template of the user: the specification names no page (Spec: Endpoints). Each service
 * has its own template, stored with the pages' other settings of this browser. A template leads only to the host that the user typed.
 */

/** The placeholder for the contract's number. */
const idMark = "{id}"

const keyOf = (baseUrl: string): string => `link ${baseUrl}`

const urlOf = (template: string, id: string): URL | null => {
  const address = template.replaceAll(idMark, encodeURIComponent(id))
  return URL.canParse(address) ? new URL(address) : null
}

/** Whether a text is a usable template: https, no user name, and a placeholder for the number after the host. */
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

/** The template of a service; empty if there is none. */
export const template = (baseUrl: string): string => localStorage.getItem(keyOf(baseUrl)) ?? ""

/** Saves a template; an empty one removes it. */
export const keep = (baseUrl: string, typed: string): void => {
  if (typed === "") localStorage.removeItem(keyOf(baseUrl))
  else localStorage.setItem(keyOf(baseUrl), typed)
}

/** The address of a contract; null if there is no usable template. */
export const of = (baseUrl: string | null, id: number): string | null => {
  const known = baseUrl === null ? "" : template(baseUrl)
  return isTemplate(known) ? urlOf(known, String(id))!.href : null
}
