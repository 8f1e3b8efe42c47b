/** An action that failed, in words for people: what happened and what they can do. The answer to a request of a page. */
export interface UserError {
  readonly _tag: "UserError"
  readonly message: string
  readonly advice: string
}

/** Whether an answer is an error. */
export const isUserError = (answer: unknown): answer is UserError =>
  typeof answer === "object" && answer !== null && "_tag" in answer && answer._tag === "UserError"
