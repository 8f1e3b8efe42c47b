/** The binary part of `fs-native-extensions` in the single file. */
import { load } from "./NativeModule.ts"

export const { tryLock } = load("locks")
