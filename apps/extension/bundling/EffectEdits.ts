/**
 * The parts of Effect that are removed for the background, and why nothing needs them: loggers, traces, and features of clocks and durations
 * that the extension does not use. Each text occurs exactly once in its module; otherwise the build stops.
 */

export interface Edited {
  readonly path: RegExp
  /** Replacements of texts of the module, each made once. Code that nothing refers to any more is then dropped. */
  readonly edits: ReadonlyArray<readonly [text: string, instead: string]>
}

export const effectEdits: ReadonlyArray<Edited> = [
  {
    path: /[\\/]effect[\\/]dist[\\/]internal[\\/]effect\.js$/,
    edits: [
      ["new Set([defaultLogger, tracerLogger])", "new Set()"],
      ["export const logWithLevel = ", "export const logWithLevel = () => () => exitVoid\nconst logged = "],
      ["const logLevelColors = ", "const logLevelColors = undefined\nconst colored = false && "],
      // Stack frames, and the context of Node's asynchronous hooks.
      ["const captureAsyncContext = ", "const captureAsyncContext = () => undefined\nconst captured = "],
      ["const fiberStackAnnotations = ", "const fiberStackAnnotations = () => undefined\nconst annotated = "],
      ["const continuationMarksStack = ", "const continuationMarksStack = true\nconst marked = "],
      ["this.cache.runtimeMetrics?.recordFiberStart(this.context);", ""],
      ["this.cache.runtimeMetrics?.recordFiberEnd(this.context, this._exit);", ""],
      ["} else if (this._asyncContext !== undefined) {", "} else if (false) {"],
      ["    if (this.cache.stackFrame) {", "    if (false) {"],
      [
        "cache.tracerContext ? cache.tracerContext(current, this) : current[evaluate](this)",
        "current[evaluate](this)",
      ],
      [
        'get currentSpanLocal() {\n    const span = this.cache.span;\n    return span?._tag === "Span" ? span : undefined;\n  }',
        "",
      ],
      // What a fiber would store for them.
      ["    tracer: currentTracer,\n", ""],
      ['    tracerContext: currentTracer ? currentTracer["context"] : undefined,\n', ""],
      ["    tracerEnabled: Context.get(context, TracerEnabled),\n", ""],
      ["    span: Context.getOrUndefinedUnsafe(context, Tracer.ParentSpanKey),\n", ""],
      ["    logLevel: Context.get(context, CurrentLogLevel),\n", ""],
      ["    minimumLogLevel: Context.get(context, MinimumLogLevel),\n", ""],
      ["    stackFrame: Context.get(context, CurrentStackFrame),\n", ""],
      [
        "    runtimeMetrics: Context.getOrUndefinedUnsafe(context, InternalMetric.FiberRuntimeMetricsKey),\n",
        "",
      ],
      // Every scope here runs its finalizers one after the other.
      ['    if (self.strategy === "sequential") {', "    if (true) {"],
      // Only traces need more than milliseconds.
      ["currentTimeNanos = /*#__PURE__*/sync(() => this.currentTimeNanosUnsafe());", ""],
      ["monotonicTimeNanos = /*#__PURE__*/sync(() => this.monotonicTimeNanosUnsafe());", ""],
      ["return wallTimeNanos();", "return BigInt(Date.now()) * 1000000n;"],
      ["return monotonicNowNanos();", "return BigInt(Date.now()) * 1000000n;"],
    ],
  },
  {
    // Stack frames beside the reasons of a failure.
    path: /[\\/]effect[\\/]dist[\\/]internal[\\/]core\.js$/,
    edits: [
      ["if (fiber.cache.stackFrame) {", "if (false) {"],
      ["if (annotations !== constEmptyAnnotations && ", "if (false && "],
      ["if (annotations.mapUnsafe.size === 0) return this;", "return this;"],
      ["if (annotations.mapUnsafe.size === 0) return self;", "return self;"],
    ],
  },
  {
    // Browsers have only timers, and no work here has a priority of its own.
    path: /[\\/]effect[\\/]dist[\\/]Scheduler\.js$/,
    edits: [
      ['"setImmediate" in globalThis ? f =>', "false ? f =>"],
      ["tasks = /*#__PURE__*/new PriorityBuckets();", "tasks = [];"],
      ["this.tasks.scheduleTask(task, priority);", "this.tasks.push(task);"],
      ["const buckets = this.tasks.drain();", "const buckets = [[0, this.tasks]];\n    this.tasks = [];"],
      ["while (this.tasks.buckets.length > 0) {", "while (this.tasks.length > 0) {"],
    ],
  },
  {
    // The message and the place of the error for a missing service.
    path: /[\\/]effect[\\/]dist[\\/]Context\.js$/,
    edits: [
      ["const serviceNotFoundError = ", "const serviceNotFoundError = () => new Error()\nconst missing = "],
    ],
  },
  {
    // Durations are numbers of milliseconds here, or were made from them.
    path: /[\\/]effect[\\/]dist[\\/]Duration\.js$/,
    edits: [
      [
        "export const fromInputUnsafe = ",
        'export const fromInputUnsafe = input => typeof input === "number" ? millis(input) : input\nconst readInput = ',
      ],
      [
        "const make = input => {",
        `const make = input => Object.assign(Object.create(DurationProto), {
  value: Math.abs(input) < Infinity ? { _tag: "Millis", millis: input } : input > 0 ? infinityDurationValue : zeroDurationValue
})
const exact = input => {`,
      ],
      [
        "export const toMillis = self => ",
        `export const toMillis = self => {
  const { value } = fromInputUnsafe(self)
  return value._tag === "Millis" ? value.millis : Infinity
}
const counted = self => `,
      ],
    ],
  },
  {
    // Any number of steps, in one loop.
    path: /[\\/]effect[\\/]dist[\\/]Pipeable\.js$/,
    edits: [
      [
        "export const pipeArguments = ",
        "export const pipeArguments = (self, args) => [...args].reduce((left, step) => step(left), self)\nconst piped = ",
      ],
    ],
  },
]
