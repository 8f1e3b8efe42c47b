/**
 * Spans of a client, by OpenTelemetry's conventions for HTTP clients: a `client` span for each attempt, and an `internal` span of the call around
 * them. They hold ids and cursors, redacted, but no key and nothing of an answer.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { Answer, MakeSpans } from "./call.ts"
import { attemptedOf, ClientError } from "../ClientError.ts"
import type { ServiceRequest } from "./serviceRequest.ts"
import { apiKeys, contracts, me, target } from "./serviceRequest.ts"

/** Attributes of a span. Those that are null are left out. */
type Attributes = Readonly<Record<string, string | number | null>>

/** Makes the spans of one client. */
export const make: MakeSpans = ({ base }, redact) => {
  const { hostname, pathname, port, protocol } = new URL(base)
  const server = {
    // An IPv6 address has no brackets here.
    "server.address": hostname.replace(/^\[|\]$/g, ""),
    "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
  }
  const prefix = pathname.replace(/\/$/, "")
  return {
    call: (request, answer) =>
      inSpan(
        () => operationOf(request),
        "internal",
        () => ({}),
        answer,
        (exit) => ({ ...attributesOf(exit), "error.type": errorTypeOf(exit) }),
      ),
    attempt: (request, resends, sent) =>
      inSpan(
        () => [request.method, templateOf(request, prefix)].filter((part) => part !== null).join(" "),
        "client",
        () => ({
          "http.request.method": request.method,
          ...server,
          "url.full": base + redact(target(request)),
          "url.template": templateOf(request, prefix),
          "http.request.resend_count": resends === 0 ? null : resends,
        }),
        sent,
        (exit) => {
          // An attempt never fails: a failure is part of its value.
          if (Exit.isFailure(exit)) return { "error.type": errorTypeOf(exit) }
          const { checked, requestId, status } = exit.value
          return {
            "http.response.status_code": status,
            "deedkit.request_id": requestId,
            "error.type": checked._tag === "Failed" ? checked.reason._tag : null,
          }
        },
      ),
  }
}

const attributesOf = (exit: Exit.Exit<Answer<unknown>, ClientError>): Attributes => {
  const facts = Exit.isSuccess(exit) ? exit.value : Option.getOrNull(Exit.findErrorOption(exit))
  if (facts === null) return {}
  const { attempts, waitedMillis } = facts instanceof ClientError ? attemptedOf(facts) : facts
  return {
    "deedkit.attempts": attempts,
    "deedkit.waited_ms": waitedMillis,
    "deedkit.request_id": facts.requestId,
  }
}

/**
 * Runs work in a span. A tracer sees the value or the error with which a span ends, and exporters write the error down. Records hold personal
 * data and the text of an error can quote the server, so the span ends with no value, or with the class of the error alone.
 *
 * Without a tracer of the program there is no span: those of Effect's own tracer are never shown, and cost a sixth of the time of a read.
 */
const inSpan = <A, E>(
  name: () => string,
  kind: Tracer.SpanKind,
  attributes: () => Attributes,
  work: Effect.Effect<A, E>,
  ending: (exit: Exit.Exit<A, E>) => Attributes & { readonly "error.type": string | null },
): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.tracer, (tracer) => {
    if (tracer === Tracer.nativeTracer) return work
    let ended: Exit.Exit<A, E> | null = null
    const shown = Effect.flatMap(Effect.exit(work), (exit) => {
      ended = exit
      const last = ending(exit)
      const errorType = last["error.type"]
      return Effect.andThen(
        Effect.annotateCurrentSpan(present(last)),
        errorType === null ? Effect.void : Effect.fail(classOnly(errorType)),
      )
    })
    const options = { kind, attributes: present(attributes()), captureStackTrace: false }
    return Effect.flatMap(Effect.exit(Effect.withSpan(shown, name(), options)), () =>
      ended === null ? Effect.interrupt : ended,
    )
  })

/** The class of an error (`error.type`): the reason of a `ClientError`, else `_OTHER`. Null for success and for an interruption. */
const errorTypeOf = (exit: Exit.Exit<unknown, unknown>): string | null => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return null
  const error = Cause.squash(exit.cause)
  return error instanceof ClientError ? error.reason._tag : "_OTHER"
}

/** An error that shows only its class: no text of the server, no stack. */
const classOnly = (errorType: string): Error =>
  Object.assign(new Error(errorType), { name: errorType, stack: errorType })

const present = (attributes: Attributes): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )

const collections = [contracts, apiKeys]

/**
 * The template of a URL (`url.template`, in development), like `/v1/contracts/?id={id}`. Null for a path that is not in the specification, because
 * it may hold ids.
 */
const templateOf = ({ path, query }: ServiceRequest, prefix: string): string | null => {
  if (path !== me.path && !collections.some((collection) => collection.path === path)) return null
  return query.some(([name]) => name === "id") ? `${prefix}${path}?id={id}` : prefix + path
}

/** The name of the client's operation, like `contracts.get`. */
const operationOf = ({ form, path }: ServiceRequest): string => {
  if (form === "free") return path === me.path ? "me" : "request"
  const name = collections.find((collection) => collection.path === path)?.name
  return `${name}.${form === "list" ? "page" : "get"}`
}
