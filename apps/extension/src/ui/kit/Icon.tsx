/** The pages' icons, drawn as strokes in the colour of the text beside them. Screen readers skip them: a text always gives their meaning. */
const paths = {
  search: "M7.2 12.4a5.2 5.2 0 1 0 0-10.4 5.2 5.2 0 0 0 0 10.4ZM11 11l3.2 3.2",
  settings: "M2 4.5h8M13 4.5h1M2 11.5h1M6 11.5h8M11.5 2.5v4M4.5 9.5v4",
  refresh: "M13.5 8a5.5 5.5 0 1 1-1.7-4M13.8 1.8v2.8H11",
  back: "M9.8 3 4.8 8l5 5",
  copy: "M5.5 5.5h7.7v8H5.5zM10.5 5.3V2.5H2.8v8h2.5",
  table: "M2 3h12v10H2zM2 6.4h12M6 3v10",
  ok: "M3 8.6 6.4 12 13 4.6",
  failed: "m4 4 8 8m0-8-8 8",
  warning: "M8 5.4v3.8M8 11.6v.3M8 2 1.6 13.4h12.8z",
  skipped: "M4 8h8",
  wait: "M8 4.4V8l2.4 1.6M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z",
  info: "M8 7.4v3.8M8 4.9v.2M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z",
  close: "m4.5 4.5 7 7m0-7-7 7",
  link: "M6.7 9.3 9.3 6.7M7.4 4.6l1.8-1.8a2.8 2.8 0 0 1 4 4l-1.8 1.8M8.6 11.4l-1.8 1.8a2.8 2.8 0 0 1-4-4l1.8-1.8",
  eye: "M1.6 8S4 3.6 8 3.6 14.4 8 14.4 8 12 12.4 8 12.4 1.6 8 1.6 8ZM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z",
  person: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 13.8c.6-2.4 2.6-3.6 5.2-3.6s4.6 1.2 5.2 3.6",
  theme: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12M8 5.5h5M8 8h6M8 10.5h5",
  out: "M9 3h4v4M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5",
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

/** The extension's own mark: a house on a deed. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path class="mark-sheet" d="M16 6.5 25 14v12.5H7V14Z" />
    <path class="mark-lines" d="M11 16h10M11 20h10M11 24h5" />
  </svg>
)
