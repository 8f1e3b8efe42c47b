/** Servers that are not the service: a web site, a stranger behind a certificate that nobody has signed, and one that says what it is told. */
import { generateKeyPairSync, sign } from "node:crypto"
import { createServer } from "node:http"
import type { RequestListener, Server as HttpServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"

export interface Server extends AsyncDisposable {
  readonly url: string
}

const listen = async (server: HttpServer, scheme: "http" | "https"): Promise<Server> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const page: RequestListener = (_, response) => {
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end("<!doctype html><title>Welcome</title><p>Log in to continue.")
}

/** Answers everything with a page of HTML. */
export const notTheApi = (): Promise<Server> => listen(createServer(page), "http")

/** Answers each request with the JSON text that is made for its address; null is a 404. */
export const answering = (answer: (url: URL) => string | number | null): Promise<Server> =>
  listen(
    createServer((request, response) => {
      const answered = answer(new URL(request.url ?? "/", "http://service.test")) ?? 404
      const isText = typeof answered === "string"
      response
        .writeHead(isText ? 200 : answered, { "content-type": "application/json" })
        .end(isText ? answered : '{"ok":false}')
    }),
    "http",
  )

/** A contract as specified, but for what is given. */
export const contract = (
  id: number,
  given: Readonly<Record<string, unknown>> = {},
): Contract.Contract & Readonly<Record<string, unknown>> => ({
  ...Fixtures.contract({ id, unit_label: `Unit ${id}` }),
  ...given,
})

const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => der(0x30, ...parts)
const object = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"))

/** A certificate for `localhost` that is its own issuer, in the encoding of RFC 5280. */
const selfSigned = (): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const ecdsaWithSha256 = sequence(object("2a8648ce3d040302"))
  const name = sequence(der(0x31, sequence(object("550403"), der(0x0c, Buffer.from("localhost")))))
  const time = (text: string): Buffer => der(0x18, Buffer.from(text))
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time("20200101000000Z"), time("20990101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  )
  const signature = der(0x03, Buffer.from([0]), sign("sha256", toBeSigned, privateKey))
  const certificate = sequence(toBeSigned, ecdsaWithSha256, signature).toString("base64")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  }
}

/** Speaks TLS, with a certificate that no machine trusts. */
export const untrusted = (): Promise<Server> => listen(createTlsServer(selfSigned(), page), "https")
