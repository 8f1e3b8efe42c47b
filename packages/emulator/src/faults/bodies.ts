/** Faults in the body of an answer: no JSON, broken JSON, or JSON of another shape. */
import { choice, integer, number, text } from "../Setting.ts"
import { html, json, withHeaders } from "../Answer.ts"
import { define } from "./Fault.ts"

export const bodies = {
  /** Status 200 with an HTML page, like that of a login page or a wrong base URL. */
  "not-json": define({
    description: "Answers 200 with a page of HTML.",
    attributes: {
      html: text("<!doctype html><title>Sign in</title><h1>Please sign in</h1>", "the page"),
      contentType: text("text/html; charset=utf-8", "content-type of the answer"),
    },
    start: (attributes) => ({
      before: () => withHeaders(html(200, attributes.html), { "content-type": attributes.contentType }),
    }),
  }),

  /** The error page of a gateway that never reached the service. Errors 2. */
  "html-error": define({
    description: "Answers with an error page of HTML.",
    attributes: { status: integer(502, "status", 400, 599) },
    start: ({ status }) => ({
      before: () =>
        html(
          status,
          `<html><head><title>${status}</title></head><body><h1>${status} Bad Gateway</h1></body></html>`,
        ),
    }),
  }),

  /** Status 200 with a body that does not have `ok: true`. Endpoints: every success body has `ok`. */
  "ok-false": define({
    description: "Answers 200 with a body whose ok is not true.",
    attributes: { form: choice(["false", "missing", "text"], "false", "what is there instead of true") },
    start: ({ form }) => ({
      before: (exchange) =>
        form === "false"
          ? json(200, `{"ok":false,"error":"internal","request":"${exchange.requestId}"}`)
          : undefined,
      answer: (answer) =>
        form === "false"
          ? answer
          : {
              ...answer,
              body: answer.body
                .replace(/^\{"ok":true,?/, form === "missing" ? "{" : '{"ok":"true",')
                .replace(",}", "}"),
            },
    }),
  }),

  /** The right content-type with a text that is not JSON. */
  "invalid-json": define({
    description: "Sends a body that no JSON parser takes.",
    attributes: {
      form: choice(
        ["trailing-comma", "two-documents", "single-quotes", "empty"],
        "trailing-comma",
        "what is wrong with it",
      ),
    },
    start: ({ form }) => ({
      answer: (answer) => {
        switch (form) {
          case "trailing-comma":
            return { ...answer, body: `${answer.body.slice(0, -1)},}` }
          case "two-documents":
            return { ...answer, body: `${answer.body}${answer.body}` }
          case "single-quotes":
            return { ...answer, body: answer.body.replaceAll('"', "'") }
          case "empty":
            return { ...answer, body: "" }
        }
      },
    }),
  }),

  /** A complete HTTP message whose JSON text is cut off. */
  "truncated-json": define({
    description: "Sends the first part of the JSON text as if it were all of it.",
    attributes: { fraction: number(0.5, "part of the text that is sent") },
    start: ({ fraction }) => ({
      answer: (answer) => ({
        ...answer,
        body: answer.body.slice(
          0,
          Math.min(answer.body.length - 1, Math.floor(answer.body.length * fraction)),
        ),
      }),
    }),
  }),

  /** A list is answered like a retrieve, and the other way round. Endpoints 1. */
  "wrong-form": define({
    description: "Answers a list in the shape of a retrieve, and a retrieve in the shape of a list.",
    attributes: {},
    start: () => ({
      content: (content, exchange) => {
        switch (content.kind) {
          case "page":
            return {
              kind: "record",
              member: exchange.endpoint === "contracts" ? "contract" : "api_key",
              record: content.items[0] ?? {},
            }
          case "record":
            return { kind: "page", items: [content.record], next: null, start: 0, nextPage: 1 }
          case "single":
            return content
        }
      },
    }),
  }),
}
