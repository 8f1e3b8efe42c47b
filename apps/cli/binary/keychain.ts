/** `@napi-rs/keyring` in the single file. */
import { load } from "./NativeModule.ts"

export const { AsyncEntry } = load("keychain")
