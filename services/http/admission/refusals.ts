import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMinuteLine } from '#services/foundation/minute-line'
import type { Sleep } from '#services/foundation/sleep'
import { arrivedBody } from './body-arrival.ts'
import { allRefused, refusedKey, type Client } from './client.ts'
import type { FairGate, NoPlace, Parties } from './fair-gate.ts'
import { createKnownRefusals, refusedOf } from './known-refusals.ts'
import type { ReadyAnswer } from './ready-answer.ts'
import { createUnsignedRequests, tooManyUnsigned } from './unsigned-requests.ts'
import type { ClassOfCall } from './work-of-request.ts'

export interface AdmissionLog {
  warn(fields: object, sentence: string): void
}

type Line = ReturnType<typeof createMinuteLine>

/** The requests of one class of work. */
export interface Class {
  readonly gate: FairGate
  readonly answers: Readonly<Record<NoPlace, ReadyAnswer>>
  refused: number
  limited: number
  readonly lines: Readonly<Record<NoPlace, Line>>
}

/** How requests without a place are answered, counted and logged. */
interface Refusal {
  readonly count: 'refused' | 'limited'
  readonly answer: (response: ServerResponse, answer: ReadyAnswer) => void
  readonly sentence: string
}

/** A request on its way to its place. */
export interface Arriving {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly of: ClassOfCall
  readonly client: Client
  readonly parties: Parties
}

/**
 * Answers, counts and logs the requests that get no place.
 * @param delayMs how long a client waits for a refusal that its own requests caused
 */
export function createRefusals({
  log,
  sleep,
  now,
  delayMs,
}: {
  readonly log: AdmissionLog
  readonly sleep: Sleep
  readonly now: () => number
  readonly delayMs: number
}) {
  const known = createKnownRefusals(now)
  const unsigned = createUnsignedRequests(now)
  const unsignedLine = createMinuteLine(now)
  const refusals: Readonly<Record<NoPlace, Refusal>> = {
    full: {
      count: 'refused',
      answer: send,
      sentence:
        'Requests were refused with 503: more of this work arrives than this process can answer.',
    },
    'own share': {
      count: 'limited',
      answer: sendLater,
      sentence:
        'Requests were refused with 429: one client has its share of this work in progress.',
    },
  }

  function refuse(own: Class, { response, of: { work } }: Arriving, why: NoPlace): void {
    const { count, answer, sentence } = refusals[why]
    answer(response, own.answers[why])
    own[count] += 1
    const { running } = own.gate
    own.lines[why]((refused) => log.warn({ work, running, refused }, sentence))
  }

  function sendLater(response: ServerResponse, answer: ReadyAnswer): void {
    if (delayMs === 0) return send(response, answer)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    void sleep(delayMs, gone.signal).then(() => {
      if (!gone.signal.aborted) send(response, answer)
    })
  }

  /** The seconds until a rate limit that refused this client before ends. Null: none is known. */
  function knownSeconds({ client, of: { call } }: Arriving): number | null {
    for (const refused of allRefused) {
      const key = refusedKey(client, refused)
      const seconds = key === null ? null : known.find(`${call} ${key}`)
      if (seconds !== null) return seconds
    }
    return null
  }

  function noteRefusal({ client, of: { call }, response }: Arriving): void {
    const refused = response.statusCode === 429 ? refusedOf(response) : null
    const key = refused === null ? null : refusedKey(client, refused)
    if (key !== null) known.note(`${call} ${key}`, Number(response.getHeader('retry-after')))
  }

  /**
   * Refuses a request without its signature if its network has sent too many. It does not arrive at
   * the gate: refused requests are no reason to serve the network's signed ones later.
   */
  function isRefusedUnsigned(own: Class, { request, response, of, client }: Arriving): boolean {
    if (of.isSigned === null || of.isSigned(request, arrivedBody(request))) return false
    if (unsigned.spend(client.network)) return false
    own.limited += 1
    sendLater(response, tooManyUnsigned)
    unsignedLine((refused) =>
      log.warn(
        { work: of.work, refused },
        'Requests were refused with 429: one network sends many without a valid signature.',
      ),
    )
    return true
  }

  return { refuse, sendLater, knownSeconds, noteRefusal, isRefusedUnsigned }
}

function send(response: ServerResponse, { status, headers, body }: ReadyAnswer): void {
  response.writeHead(status, headers).end(body)
}
