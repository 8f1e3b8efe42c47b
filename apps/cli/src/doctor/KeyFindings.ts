/**
 * Findings from the trials of a key: address, encryption, acceptance, scopes. Pure.
 */
import type { ClientConfig, ClientError } from "@deedkit/core"
import type { Finding } from "./Finding.ts"
import * as Findings from "./Finding.ts"
import type { Trial } from "../account/KeyTrial.ts"
import * as KeyTrial from "../account/KeyTrial.ts"
import * as Catalogue from "../failure/Catalogue.ts"

const connection = Findings.of("Connection")
const key = Findings.of("Key")

type Config = Pick<ClientConfig.ClientConfig, "base" | "origin">

const setting = "--base-url"

const encrypted = connection("encryption", "TLS, with a certificate that is trusted here", "verified")

const isNotFound = ({ error }: Trial): boolean => error?.reason._tag === "NotFound"

const address = (base: string, trials: ReadonlyArray<Trial>): Finding => {
  if (trials.some(({ error }) => error === null)) {
    return connection("address", base, "verified", { setting, evidence: "it answers as specified" })
  }
  return trials.every(isNotFound)
    ? connection("address", `${base} has no API endpoints; it should end just before /v1/`, "unknown", {
        setting,
        problem: true,
      })
    : connection("address", base, "assumed", { setting, evidence: "a server answers" })
}

/** A server answered; the trials tell whether as specified. */
export const reached = ({ base, origin }: Config, trials: ReadonlyArray<Trial>): ReadonlyArray<Finding> => [
  address(base, trials),
  origin.startsWith("https:")
    ? encrypted
    : connection("encryption", "none: the address is on this machine", "verified"),
]

const withoutAnswer = (reason: ClientError.Reason): string => {
  switch (reason._tag) {
    case "TransportFailed":
      return reason.phase === "tls"
        ? "has an untrusted certificate"
        : `does not answer (${reason.code ?? reason.phase})`
    case "TimedOut":
      return `gave no answer within ${reason.afterMillis / 1_000} s`
    case "NotTheApi":
      return `answers with ${reason.contentType ?? "something"}, not with JSON: it is not the API`
    case "Redirected":
      return `redirects${reason.location === null ? "" : ` to ${reason.location}`}`
    default:
      return `answers, but: ${Catalogue.ofClient(reason).headline}`
  }
}

/** The first request failed, so the rest is unknown. */
export const notReached = (
  { base, origin }: Config,
  { reason }: ClientError.ClientError,
): ReadonlyArray<Finding> => {
  const isTls = reason._tag === "TransportFailed" && reason.phase === "tls"
  const answered = reason._tag !== "TransportFailed" && reason._tag !== "TimedOut"
  const where = connection("address", `${base} ${withoutAnswer(reason)}`, "verified", {
    setting,
    problem: true,
  })
  if (!origin.startsWith("https:")) return [where]
  if (isTls) {
    const answer = `the certificate is not trusted (${reason.detail})`
    return [where, connection("encryption", answer, "verified", { problem: true })]
  }
  return [where, answered ? encrypted : connection("encryption", "there was no connection", "unknown")]
}

const scopeFinding = (trial: Trial): Finding => {
  const { error, scope, what } = trial
  const about = `can read ${what}`
  if (error === null) {
    return key(about, scope === null ? "yes" : `yes, with ${scope}`, "verified", {
      evidence: scope === null ? "the required scope is not specified" : null,
    })
  }
  if (KeyTrial.isForbidden(trial)) {
    return key(
      about,
      scope === null ? "no; the required scope is not specified" : `no: ${scope} is missing`,
      "verified",
      {
        evidence: `the service answered ${error.reason._tag === "Forbidden" ? error.reason.status : ""}`,
      },
    )
  }
  return key(about, Catalogue.ofClient(error.reason).headline, "unknown", { problem: true })
}

/** Whether the key is accepted, and what it can read. */
export const ofKey = (trials: ReadonlyArray<Trial>, lastFour: string | null): ReadonlyArray<Finding> => {
  const failure = KeyTrial.failure(trials)
  const shown = lastFour ?? "the key"
  const login = { setting: "deedkit auth login", problem: true }
  if (failure?.reason._tag === "Unauthenticated") {
    return [
      key("accepted", `no: ${shown} is mistyped, revoked or of another account`, "verified", {
        ...login,
        evidence: `the service answered ${failure.reason.status}`,
      }),
    ]
  }
  const accepted =
    failure === null
      ? key("accepted", `yes (${shown})`, "verified")
      : key("accepted", `${shown} has no access`, "unknown", login)
  return [accepted, ...trials.map(scopeFinding)]
}
