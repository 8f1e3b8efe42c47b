/**
 * A complete read whose list is so much smaller than the saved one that it may be a fault of the service, and not a change: the specification
 * does not say when a list is whole (Spec: Endpoints 2). Nothing is removed because of it until the user has decided. Pure.
 */
/** Most removals about which the user is never asked, unless nothing would be left: small accounts change by this many. */
const mostUnasked = 9

/**
 * Whether the user is asked before contracts are removed: when none would be left, or when at least ten would go and they are more than
 * those that stay.
 */
export const isAskedAbout = (left: number, gone: number): boolean =>
  gone > 0 && (left === 0 || (gone > mostUnasked && gone > left))
