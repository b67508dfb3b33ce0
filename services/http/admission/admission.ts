import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ErrorBody } from '#contracts/errors'
import { createMinuteLine } from '#services/foundation/minute-line'
import type { Sleep } from '#services/foundation/sleep'
import {
  createWorkGate,
  GateIsFull,
  type Leave,
  type WorkGate,
} from '#services/foundation/work-gate'
import { tooLargeBody } from '../http-error.ts'
import { createBodyArrivals, type Arrival, type BodyArrivals } from './body-arrival.ts'
import { workNames, type Work, type WorkLimits } from './work.ts'
import type { WorkOf } from './work-of-request.ts'

/** What the metrics show of a class. */
export interface MeasuredWork {
  readonly work: Work
  readonly running: number
  readonly waiting: number
  /** Since the start of this process. */
  readonly refused: number
}

export interface Admission {
  /**
   * Lets `listener` handle as many requests of each class at once as its limits allow. Others wait,
   * and beyond the queue they are answered with 503 and Retry-After. A request takes its place when
   * its body has arrived, and holds it until its answer is made or its client disconnects. So a
   * client that sends or reads slowly holds no place, except during the download of an export.
   */
  guard(listener: RequestListener, workOf: WorkOf): RequestListener
  measured(): readonly MeasuredWork[]
}

interface AdmissionLog {
  warn(facts: object, sentence: string): void
}

interface Class {
  readonly gate: WorkGate
  readonly refusal: Refusal
  refused: number
  readonly line: ReturnType<typeof createMinuteLine>
}

interface Refusal {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Of all requests. A change of the product's clients has some kB, and a webhook 256 at most. */
const mostArrivingBytes = 32 * 1_024 * 1_024

/**
 * Refuses the requests that this process cannot answer in time. A refusal is the first thing that
 * happens to a request: no session is read, no body is parsed, and no line per request is logged.
 * @param now monotonic milliseconds
 */
export function createAdmission({
  limits,
  log,
  sleep,
  now = () => performance.now(),
  arrivals = createBodyArrivals(mostArrivingBytes),
}: {
  readonly limits: Readonly<Record<Work, WorkLimits>>
  readonly log: AdmissionLog
  readonly sleep?: Sleep
  readonly now?: () => number
  readonly arrivals?: BodyArrivals
}): Admission {
  const classes = new Map<Work, Class>(
    workNames.map((work) => [
      work,
      {
        gate: createWorkGate(limits[work], sleep),
        refusal: refusalOf(limits[work]),
        refused: 0,
        line: createMinuteLine(now),
      },
    ]),
  )

  function refuse(
    work: Work,
    own: Class,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    own.refused += 1
    request.resume()
    response.writeHead(503, own.refusal.headers).end(own.refusal.body)
    own.line((refused) =>
      log.warn(
        { work, running: own.gate.running, refused },
        'Requests were refused with 503: more of this work arrives than this process can answer.',
      ),
    )
  }

  function isFull(work: Work, { gate }: Class): boolean {
    const { atOnce, waiting } = limits[work]
    return gate.running >= atOnce && gate.waiting >= waiting
  }

  function admit(
    work: Work,
    own: Class,
    listener: RequestListener,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const leave = own.gate.tryEnter()
    if (leave !== null) return handle(listener, request, response, leave)
    if (isFull(work, own)) return refuse(work, own, request, response)
    const gone = new AbortController()
    const onClose = () => gone.abort()
    response.once('close', onClose)
    own.gate.enter(gone.signal).then(
      (free) => {
        response.off('close', onClose)
        handle(listener, request, response, free)
      },
      (error: unknown) => {
        // The client has disconnected.
        if (gone.signal.aborted) return
        if (!(error instanceof GateIsFull)) throw error
        refuse(work, own, request, response)
      },
    )
  }

  return {
    guard: (listener, workOf) => (request, response) => {
      const work = workOf(request.method ?? 'GET', request.url ?? '/')
      const own = work === null ? undefined : classes.get(work)
      if (work === null || own === undefined) return listener(request, response)
      // Without its body: a refusal must cost little.
      if (isFull(work, own)) return refuse(work, own, request, response)
      const proceed: Readonly<Record<Arrival, () => void>> = {
        complete: () => admit(work, own, listener, request, response),
        // Before a session is read: the client may never send the rest.
        'too large': () => void response.writeHead(413, tooLarge.headers).end(tooLarge.body),
        'too slow': () => refuse(work, own, request, response),
      }
      arrivals.wait(request, mostBodyBytes(work), (arrival) => proceed[arrival]())
    },
    measured: () =>
      [...classes].map(([work, { gate, refused }]) => ({
        work,
        running: gate.running,
        waiting: gate.waiting,
        refused,
      })),
  }
}

function handle(
  listener: RequestListener,
  request: IncomingMessage,
  response: ServerResponse,
  leave: Leave,
): void {
  // The client can disconnect in the moment in which its request gets a place.
  if (response.closed) return leave()
  response.once('close', leave)
  // What is left is to send the answer. A client that does not read it would hold the place.
  onEnd(response, leave)
  listener(request as Parameters<RequestListener>[0], response as Parameters<RequestListener>[1])
}

/** What the handlers of the class accept. */
function mostBodyBytes(work: Work): number {
  return work === 'webhooks' ? 256 * 1_024 : 64 * 1_024
}

/** Calls `listener` when the whole answer was handed over, also while an earlier answer is sent. */
function onEnd(response: ServerResponse, listener: () => void): void {
  const { end } = response
  response.end = (...given: unknown[]) => {
    listener()
    return Reflect.apply(end, response, given) as ServerResponse
  }
}

function refusalOf({ sentence, retryAfterSeconds }: WorkLimits): Refusal {
  return answerOf({ error: sentence }, { 'Retry-After': String(retryAfterSeconds) })
}

function answerOf(error: ErrorBody, headers: Readonly<Record<string, string>> = {}): Refusal {
  const body = JSON.stringify(error)
  return {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
    body,
  }
}

const tooLarge = answerOf(tooLargeBody)
