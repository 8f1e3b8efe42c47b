/** The part of the library that is used here; it comes without types. */
declare module "fs-native-extensions" {
  const library: {
    tryLock(fd: number, offset: number, length: number, options?: { shared: boolean }): boolean
  }
  export default library
}
