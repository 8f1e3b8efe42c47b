/**
 * The settings file: what a user takes to another browser. It holds choices, sites and accounts by name and address, and there is no place in
 * it for a key: a file with any member that is not named here is rejected.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { accountLimits, mostLinks } from "./AppState.ts"
import { address, listingId, patterns, settings, text } from "./Requests.ts"

const SettingsFile = Schema.fromJsonString(
  Schema.Struct({
    format: Schema.Literal("deedkit-settings"),
    version: Schema.Literal(1),
    settings: Schema.Struct(settings),
    sites: Schema.Array(Schema.Struct({ origin: address, isOn: Schema.Boolean, patterns })).check(
      Schema.isMaxLength(1_000),
    ),
    accounts: Schema.Array(
      Schema.Struct({
        name: text(accountLimits.mostName),
        baseUrl: Schema.NullOr(address),
        /** Pages that are linked to listings by hand. */
        links: Schema.optionalKey(
          Schema.Array(Schema.Struct({ address, listing: listingId })).check(Schema.isMaxLength(mostLinks)),
        ),
      }),
    ).check(Schema.isMaxLength(accountLimits.mostAccounts)),
  }),
)

export type SettingsFile = typeof SettingsFile.Type

const decode = Schema.decodeUnknownOption(SettingsFile, { onExcessProperty: "error" })

/** Reads a text as a settings file; null if it is not one, or says anything that a settings file does not say. */
export const read = (content: string): SettingsFile | null => Option.getOrNull(decode(content))
