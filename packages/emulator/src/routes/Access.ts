/**
 * Authentication and authorization of a request. Serves Authentication 1, 2 and 4; the statuses are assumptions (Errors 3).
 */
import type { Assumptions } from "../settings/Assumptions.ts"
import type { Endpoint } from "./Exchange.ts"
import type { ApiKey } from "../wire/Wire.ts"

/** Why a request was refused. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** The scope that an endpoint requires; null for none. */
const scopeOf = (endpoint: Endpoint, assumptions: Assumptions): string | null => {
  switch (endpoint) {
    case "contracts":
      return "read:contracts"
    case "api-keys":
      return "read:api_keys"
    case "me":
      return assumptions.meScope
  }
}

/** The text after `Bearer`, or undefined when there is none. */
export const bearer = (header: string | null): string | undefined =>
  /^Bearer +(\S+)$/i.exec(header ?? "")?.[1]

/** Undefined when the key can use the endpoint. */
export const refusal = (
  secret: string | undefined,
  key: ApiKey | undefined,
  endpoint: Endpoint,
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
  const scope = scopeOf(endpoint, assumptions)
  if (scope !== null && !key.scopes.includes(scope)) {
    return {
      status: assumptions.missingScopeStatus,
      code: "missing_scope",
      message: `This API key lacks the scope ${scope}.`,
    }
  }
  return undefined
}
