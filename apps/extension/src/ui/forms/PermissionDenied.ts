/** The error for a browser's permission prompt that was declined or could not be shown. */
import { actionError } from "../../failures/ActionFailure.ts"
import type { UserError } from "../../messages/UserError.ts"
import { text } from "../kit/Message.ts"

export const permissionDenied = (origin: string): UserError =>
  actionError(text, "PermissionDenied", [new URL(origin).host])
