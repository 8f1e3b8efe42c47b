/** A part of the export page under its heading. */
import type { ComponentChildren } from "preact"

export const Part = ({
  id,
  title,
  intro,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly intro?: string
  readonly children: ComponentChildren
}) => (
  <section class="section" aria-labelledby={`${id}-title`}>
    <header class="section-header">
      <h2 id={`${id}-title`}>{title}</h2>
      {intro === undefined ? null : <p>{intro}</p>}
    </header>
    <div class="section-body">{children}</div>
  </section>
)
