/** A contract's status as a small pill: the statuses that the specification names have a tone of their own, all others are shown as they are. */
export const Status = ({ status }: { readonly status: string }) => (
  <span class="status" data-tone={status.slice(0, 20)}>
    <bdi>{status.slice(0, 60)}</bdi>
  </span>
)
