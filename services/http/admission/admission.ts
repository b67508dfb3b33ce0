import type { RequestListener } from 'node:http'
import type { ErrorBody } from '#contracts/errors'
import { createMinuteLine } from '#services/foundation/minute-line'
import { sleep as realSleep, type Sleep } from '#services/foundation/sleep'
import type { Leave } from '#services/foundation/work-gate'
import { tooLargeBody } from '../http-error.ts'
import { tooManyTries } from '../too-many-tries.ts'
import { createBodyArrivals, type Arrival, type BodyArrivals } from './body-arrival.ts'
import { partiesOf, type ClientOf } from './client.ts'
import { createFairGate, type NoPlace } from './fair-gate.ts'
import { holdPlace } from './hold-place.ts'
import { answerOf, type ReadyAnswer } from './ready-answer.ts'
import { createRefusals, type AdmissionLog, type Arriving, type Class } from './refusals.ts'
import { maxBodyBytes, workNames, type Work, type WorkLimits } from './work.ts'
import type { WorkOf } from './work-of-request.ts'

/** What the metrics show of a class. */
export interface MeasuredWork {
  readonly work: Work
  readonly running: number
  readonly waiting: number
  /** Answered with 503, since the start of this process. */
  readonly refused: number
  /** Answered with 429 without a place: the client had its share, or an exceeded rate limit. */
  readonly limited: number
}

export interface Admission {
  /**
   * Lets `listener` handle as many requests of each class at once as its limits allow. Others wait,
   * and beyond the queue they are answered with 503 and Retry-After. A client that has its share of
   * the class is answered with 429. So is one whose rate limit is known to be exceeded, and one
   * whose network sends too many requests without the signature that their call needs.
   *
   * A request takes its place when its body has arrived, and holds it until its answer is made or
   * its client disconnects. So a client that sends or reads slowly holds no place, except during
   * the download of an export.
   */
  guard(listener: RequestListener, workOf: WorkOf, clientOf: ClientOf): RequestListener
  measured(): readonly MeasuredWork[]
}

/** Of all requests. A change has some kB, a webhook 256 at most, and rows of an import 1,024. */
const maxArrivingBytes = 32 * 1_024 * 1_024

/**
 * A client that has its share, whose rate limit is exceeded or whose body is too large waits this
 * long for its refusal. It has one request in progress per connection, so it cannot keep the
 * process busy by trying again.
 */
const limitedDelayMs = 1_000

/**
 * Refuses the requests that this process cannot answer in time. A refusal is the first thing that
 * happens to a request: no session is read, no body is parsed, and no line per request is logged.
 * @param now monotonic milliseconds
 */
export function createAdmission({
  limits,
  log,
  sleep = realSleep,
  now = () => performance.now(),
  arrivals = createBodyArrivals(maxArrivingBytes),
  delayMs = limitedDelayMs,
}: {
  readonly limits: Readonly<Record<Work, WorkLimits>>
  readonly log: AdmissionLog
  readonly sleep?: Sleep
  readonly now?: () => number
  readonly arrivals?: BodyArrivals
  readonly delayMs?: number
}): Admission {
  const { refuse, sendLater, knownSeconds, noteRefusal, isRefusedUnsigned } = createRefusals({
    log,
    sleep,
    now,
    delayMs,
  })
  const classes = new Map<Work, Class>(
    workNames.map((work) => [
      work,
      {
        gate: createFairGate(limits[work], sleep, now),
        answers: answersOf(limits[work]),
        refused: 0,
        limited: 0,
        lines: { full: createMinuteLine(now), 'own share': createMinuteLine(now) },
      },
    ]),
  )

  function admit(own: Class, listener: RequestListener, arriving: Arriving): void {
    const { request, response, of, parties } = arriving
    const gone = new AbortController()
    const onClose = () => gone.abort()
    response.once('close', onClose)
    own.gate.enter(parties, gone.signal, {
      begin(leave: Leave) {
        response.off('close', onClose)
        // The client can disconnect in the moment in which its request gets a place.
        if (response.closed) return leave()
        holdPlace(response, of.opensStream, () => {
          // Before the place is free: the next request of this client can wait for it.
          noteRefusal(arriving)
          leave()
        })
        listener(
          request as Parameters<RequestListener>[0],
          response as Parameters<RequestListener>[1],
        )
      },
      refuse(why) {
        response.off('close', onClose)
        refuse(own, arriving, why)
      },
    })
  }

  return {
    guard: (listener, workOf, clientOf) => (request, response) => {
      const of = workOf(request.method ?? 'GET', request.url ?? '/')
      const own = of === null ? undefined : classes.get(of.work)
      if (of === null || own === undefined) return listener(request, response)
      const client = clientOf(request)
      const arriving: Arriving = { request, response, of, client, parties: partiesOf(client) }
      // All of these without the body: a refusal must cost little.
      const seconds = knownSeconds(arriving)
      if (seconds !== null) {
        own.limited += 1
        return sendLater(response, limitedAnswer(seconds))
      }
      const hasArrived = (): boolean => {
        const why = own.gate.arrive(arriving.parties)
        if (why !== null) refuse(own, arriving, why)
        return why === null
      }
      // A signature is checked before, and it needs the body.
      if (of.isSigned === null && !hasArrived()) return
      const proceed: Readonly<Record<Arrival, () => void>> = {
        complete() {
          if (of.isSigned !== null && (isRefusedUnsigned(own, arriving) || !hasArrived())) return
          admit(own, listener, arriving)
        },
        // Before a session is read: the client may never send the rest.
        'too large': () => sendLater(response, tooLarge),
        'too slow': () => refuse(own, arriving, 'full'),
      }
      arrivals.wait(request, maxBodyBytes(of.work), (arrival) => proceed[arrival]())
    },
    measured: () =>
      [...classes].map(([work, { gate, refused, limited }]) => ({
        work,
        running: gate.running,
        waiting: gate.waiting,
        refused,
        limited,
      })),
  }
}

function answersOf({
  sentence,
  retryAfterSeconds,
}: WorkLimits): Readonly<Record<NoPlace, ReadyAnswer>> {
  return {
    full: answerOf(503, { error: sentence }, retryAfterSeconds),
    'own share': answerOf(429, { error: ownShare }, retryAfterSeconds),
  }
}

const ownShare =
  'Too many requests from your browser or your network are in progress. No change was saved. Please try again in a few seconds.'

function limitedAnswer(seconds: number): ReadyAnswer {
  return answerOf(429, { error: tooManyTries(seconds) } satisfies ErrorBody, seconds)
}

const tooLarge = answerOf(413, tooLargeBody)
