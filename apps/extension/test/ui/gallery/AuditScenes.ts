/** The audit of API keys in each of its states. */
import type { AppState } from "../../../src/messages/AppState.ts"
import type { ApiKeysAnswer } from "../../../src/messages/PageMessage.ts"
import type { Scene } from "./Scene.ts"
import type { Visit } from "./Visit.ts"
import { now } from "./Scene.ts"
import { ready, connection, unset, world } from "./Worlds.ts"

interface Key {
  readonly name: string
  readonly scopes?: ReadonlyArray<string>
  readonly created?: string
  readonly used?: string | null
  readonly revoked?: string | null
}

/** An answer of the background with these keys. */
export const keysAnswer = (keys: ReadonlyArray<Key>, complete = true): ApiKeysAnswer => ({
  apiKeys: JSON.stringify(
    keys.map(
      (
        { created = "2026-01-10", name, revoked = null, scopes = ["read:contracts"], used = "2026-02-28" },
        at,
      ) => ({
        id: 60 - at,
        name,
        scopes,
        created_at: `${created}T08:05:00Z`,
        last_used_at: used === null ? null : `${used}T16:41:00Z`,
        revoked_at: revoked === null ? null : `${revoked}T10:00:00Z`,
      }),
    ),
  ),
  readAt: now,
  complete,
  sync: null,
})

const fine: ReadonlyArray<Key> = [
  { name: "Nightly export" },
  { name: "Website" },
  { name: "Office, browser" },
]

const named = ["read:api_keys", "read:contracts", "read:me", "read:listings", "read:contact_messages"]

export const looked: ReadonlyArray<Key> = [
  ...fine,
  { name: "Everything, read-only", scopes: [...named, "read:reports"] },
  { name: "Old laptop (lost)", revoked: "2026-02-01", used: "2026-02-20" },
  { name: "Test of the new site", used: null, created: "2025-11-02" },
  { name: "Newsletter", used: "2025-09-01", created: "2024-04-18" },
]

const hostileKeys: ReadonlyArray<Key> = [
  {
    name: `<img src=x onerror=alert(1)>\u202e${"W".repeat(4_000)}`,
    scopes: [`read:${"x".repeat(3_000)}`, "<script>", ...named],
  },
  { name: "   ", used: null, created: "2020-01-01" },
]

const audit = (name: string, state: AppState, answer: unknown, more: Partial<Scene> = {}): Scene => ({
  page: "audit",
  name,
  world: world(state, { answers: { "page.apiKeys": answer } }),
  size: [820, 760],
  ...more,
})

const summary = (tab: Visit) => tab.sees(".audit-summary")

const error = {
  _tag: "UserError",
  message: "The key lacks the scope read:api_keys.",
  advice: "Add the scope to the key in the service's dashboard and try again, or use a key that has it.",
} as const

export const auditScenes: ReadonlyArray<Scene> = [
  audit("found", ready, keysAnswer(looked), { act: summary }),
  audit("none", ready, keysAnswer(fine), { act: summary, size: [820, 320] }),
  audit("incomplete", ready, keysAnswer(looked.slice(0, 4), false), { act: summary, isPictured: false }),
  audit("refused", ready, error, {
    act: (tab) => tab.reads(error.message),
    size: [820, 320],
  }),
  audit("wrong-key", connection({ _tag: "NoPermission", origin: "https://api.homes.example" }), null, {
    isPictured: false,
  }),
  audit("not-set-up", unset, null, { isPictured: false }),
  audit("hostile", ready, keysAnswer(hostileKeys), { act: summary, size: [360, 760], isPictured: false }),
  audit("rtl", ready, keysAnswer(looked), { act: summary, direction: "rtl", isPictured: false }),
]
