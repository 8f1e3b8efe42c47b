/** A button in the look of the extension's pages. `kinds` are those of `pages.css` and `popup.css`, such as `small quiet`. */
import type { ComponentProps } from "preact"

export const Button = ({
  kinds = "",
  ...native
}: Omit<ComponentProps<"button">, "class" | "ref"> & { readonly kinds?: string }) => (
  <button type="button" class={`button ${kinds.replace(/[a-z-]+/g, "button-$&")}`.trim()} {...native} />
)
