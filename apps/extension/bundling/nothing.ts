/** In place of a package that is asked for and never used. */

/** Asked for at the start, of the package for temporary files. */
export const setGracefulCleanup = (): void => {}
