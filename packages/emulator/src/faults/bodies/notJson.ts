/** Fault `not-json`: status 200 with an HTML page, like that of a login page or a wrong base URL. */
import { text } from "../../settings/Setting.ts"
import { html, withHeaders } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const notJson = define({
  name: "not-json",
  description: "Answers 200 with a page of HTML.",
  attributes: {
    html: text("<!doctype html><title>Sign in</title><h1>Please sign in</h1>", "the page"),
    contentType: text("text/html; charset=utf-8", "content-type of the answer"),
  },
  start: (attributes) => ({
    before: () => withHeaders(html(200, attributes.html), { "content-type": attributes.contentType }),
  }),
})
