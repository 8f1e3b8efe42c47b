/** Reports a listener's error in programs without Effect: a line on standard error, or on the browser's console. */

/** Writes the line. Effect's loggers would make up most of a small bundle. */
export const consoleWarning = (error: unknown, what: string): void =>
  console.error(`A listener failed on ${what}. The call is not affected.`, error)
