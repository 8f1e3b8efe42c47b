/**
 * Authentication and authorization of a request. Serves Authentication 1, 2 and 4; the statuses are assumptions (Errors 3).
 */
import type { Assumptions } from "../settings/Assumptions.ts"
import type { ApiKey } from "../wire/Wire.ts"

/** Why a request was refused. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** The text after `Bearer`, or undefined when there is none. */
export const bearer = (header: string | null): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header ?? "")?.[1]

/** Undefined if the key can use an endpoint that requires `scope`; a null scope requires none. */
export const refusal = (
  secret: string | undefined,
  key: ApiKey | undefined,
  scope: string | null,
  assumptions: Assumptions,
): Refusal | undefined => {
  if (secret === undefined) {
    return {
      status: assumptions.missingKeyStatus,
      code: "missing_key",
      message: "Send Authorization: Bearer.",
    }
  }
  if (key === undefined) {
    return { status: assumptions.wrongKeyStatus, code: "wrong_key", message: "This API key does not exist." }
  }
  if (key.revoked_at !== null) {
    return {
      status: assumptions.revokedKeyStatus,
      code: "revoked_key",
      message: "This API key has been revoked.",
    }
  }
  if (scope !== null && !key.scopes.includes(scope)) {
    return {
      status: assumptions.missingScopeStatus,
      code: "missing_scope",
      message: `This API key lacks the scope ${scope}.`,
    }
  }
  return undefined
}
