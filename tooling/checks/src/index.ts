/** The entry for tools that change the tree: the tree itself, and the rules for file names and for the size of folders. */
export { checkNames } from "./rules/FileShape.ts"
export { checkWidths } from "./rules/Folders.ts"
export { check as checkWords } from "./rules/Words.ts"
export * as Finding from "./tree/Finding.ts"
export * as Tree from "./tree/Tree.ts"
