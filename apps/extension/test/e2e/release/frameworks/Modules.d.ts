/** What the programs use of packages that have no types of their own, and of the component that Svelte compiles. */

declare module "react" {
  export interface ReactElement {
    readonly type: unknown
  }
  type Child = ReactElement | string | number | null | ReadonlyArray<ReactElement>
  type Component<Props> = (props: Props) => ReactElement
  export const createElement: <Props extends object>(
    type: string | Component<Props>,
    props: (Props & { readonly key?: number }) | null,
    ...children: ReadonlyArray<Child>
  ) => ReactElement
  export const useState: <S>(first: S) => readonly [S, (next: S | ((before: S) => S)) => void]
}

declare module "react-dom/client" {
  import type { ReactElement } from "react"
  export const hydrateRoot: (
    root: Element | Document,
    element: ReactElement,
    options: { readonly onRecoverableError: (error: unknown) => void },
  ) => unknown
}

declare module "react-dom/server" {
  import type { ReactElement } from "react"
  export const renderToString: (element: ReactElement) => string
}

declare module "*.svelte" {
  import type { Component } from "svelte"
  const component: Component<{ first: number }>
  export default component
}
