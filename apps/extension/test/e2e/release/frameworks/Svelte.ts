/** Homes as a program of Svelte, which has a component for each side. */
import { hydrate as make } from "svelte"
import Homes from "./Homes.svelte"

export const render = async (first: number): Promise<string> => {
  const server = await import("svelte/server")
  return server.render(Homes, { props: { first } }).body
}

/** What does not fit, Svelte says on the console. */
export const hydrate = async (target: Element, first: number): Promise<void> => {
  make(Homes, { target, props: { first } })
}
