/** Shapes of the requests about the lock and about accounts; sizes are checked with them. */
import { accountLimits } from "./AccountMessage.ts"
import * as Shape from "./Shape.ts"

const passphrase = Shape.text(accountLimits.mostPassphrase)
const name = Shape.text(accountLimits.mostName)
const id = Shape.text(40, 1)
const file = Shape.object({ text: Shape.text(accountLimits.mostFile) })

export const accountRequests = {
  "page.lock": Shape.object({}),
  "page.unlock": Shape.object({ passphrase }),
  "page.setPassphrase": Shape.object({ passphrase, current: Shape.orNull(passphrase) }),
  "page.removePassphrase": Shape.object({ current: passphrase }),
  "page.setLockAfter": Shape.object({ minutes: Shape.orNull(Shape.integer(1, accountLimits.mostLockAfter)) }),
  "page.addAccount": Shape.object({ name }),
  "page.renameAccount": Shape.object({ id, name }),
  "page.switchAccount": Shape.object({ id }),
  "page.removeAccount": Shape.object({ id }),
  "page.decideList": Shape.object({ id, isUsed: Shape.yesOrNo }),
  "page.previewSettings": file,
  "page.importSettings": file,
}
