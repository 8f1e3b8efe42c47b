/** A number of minutes in words, such as `every 3 hours`. */
import { plural, text } from "./Message.ts"

export const intervalName = (minutes: number): string => {
  if (minutes === 1_440) return text("everyDay")
  return minutes % 60 === 0 ? plural("everyHours", minutes / 60) : plural("everyMinutes", minutes)
}
