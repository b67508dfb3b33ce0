type AttributeValue = string | number | boolean | string[]

/** Values that name no person: declared paths, types, counts and outcomes. */
type SpanAttributes = Readonly<Record<string, AttributeValue>>

export interface NewSpan {
  /** Of a fixed set, such as `POST /api/logout`: it contains no id and no input. */
  readonly name: string
  /** `client`: a call of another system. Default `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer'
  readonly attributes?: SpanAttributes
}

/** Another span, by its ids in hexadecimal digits. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

export interface NewTraceSpan extends NewSpan {
  /** Of the request or of the event. It determines the trace. */
  readonly correlationId: string
  /** The span that caused this one, in the same trace. Default: the active span. */
  readonly parent?: string
  /** A span of another trace that this one has to do with. */
  readonly link?: SpanPlace | null
}

export interface OpenSpan {
  set(attributes: SpanAttributes): void
  /** Marks the span as failed by the name of the error: its text may name a person. */
  failed(error: unknown): void
}

/** Records what the process does, as spans. `run` always runs, and its outcome is returned. */
export interface Spans {
  /**
   * Runs in a span of the correlation id's trace: a child of the active span if that is in the same
   * trace, otherwise a new root with a link to the active span. The span ends when `run` settles,
   * or when `until` resolves.
   */
  inTrace<Result>(
    options: NewTraceSpan,
    run: (span: OpenSpan) => Promise<Result>,
    until?: Promise<void>,
  ): Promise<Result>
  /** Runs in a child of the active span. Without an active span, runs without a span. */
  inside<Result>(
    options: NewSpan & { readonly spanId?: string },
    run: (span: OpenSpan) => Promise<Result>,
  ): Promise<Result>
  /** Runs in several spans at once, one per trace. None of several is the active span. */
  inEach<Result>(options: readonly NewTraceSpan[], run: () => Promise<Result>): Promise<Result>
}
