/** The spans as OpenTelemetry's own SDK exports them. */
import * as OtelTracer from "@effect/opentelemetry/OtelTracer"
import { SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { idsOf, world } from "../../fixtures/Setup.ts"

const exported = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = Layer.succeed(OtelTracer.OtelTracer, provider.getTracer("test"))
  return { exporter, layer: Layer.provide(OtelTracer.layerWithoutOtelTracer, tracer) }
}

it("the SDK exports parents, kinds, links, events and statuses", async () => {
  const { client, emulator, run } = await world({
    emulator: { faults: [{ name: "server-error", status: 503, when: { requests: [1] } }] },
  })
  const { exporter, layer } = exported()
  const lookup = client.contracts.get(idsOf(emulator.store.contracts)[0]!)
  await run(Effect.provide(Effect.all([lookup, lookup], { concurrency: 2 }), layer))
  await run(Effect.provide(Effect.exit(client.contracts.get(999_999)), layer))
  const spans = exporter.getFinishedSpans()
  const byName = (name: string) => spans.filter((span) => span.name === name)
  const attempts = byName("GET /v1/contracts/?id={id}")
  const joined = spans.find((span) => span.attributes["deedkit.shared"] === true)
  const call = byName("contracts.get").find((span) => span !== joined)
  const failed = byName("contracts.get").at(-1)
  expect(spans).toHaveLength(6)
  expect(attempts.map((span) => span.kind)).toEqual([SpanKind.CLIENT, SpanKind.CLIENT, SpanKind.CLIENT])
  expect(attempts.map((span) => span.status.code)).toEqual([
    SpanStatusCode.ERROR,
    SpanStatusCode.OK,
    SpanStatusCode.ERROR,
  ])
  expect(attempts.map((span) => span.attributes["http.response.status_code"])).toEqual([503, 200, 404])
  expect(attempts.slice(0, 2).map((span) => span.parentSpanContext?.spanId)).toEqual([
    call?.spanContext().spanId,
    call?.spanContext().spanId,
  ])
  expect(call?.events.map(({ name }) => name)).toEqual(["deedkit.attempt", "deedkit.attempt"])
  expect(joined?.links.map(({ context }) => context.spanId)).toEqual([call?.spanContext().spanId])
  expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR, message: "NotFound" })
  expect(failed?.events.find(({ name }) => name === "exception")?.attributes).toEqual({
    "exception.type": "NotFound",
    "exception.message": "NotFound",
    "exception.stacktrace": "NotFound: NotFound",
  })
})
