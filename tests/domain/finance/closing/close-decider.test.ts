import { describe, expect, it } from '@jest/globals'
import type { CloseEvent } from '#contracts/events/close'
import {
  closeDecider,
  type CloseCommand,
  type CloseRefusal,
  type LastClose,
} from '#services/finance/closing/close-decider'
import { refusalInWords } from '#services/reports/closing/refusal-in-words'
import { given } from '../../../support/data/given.ts'
import { month, zone } from '../../../support/data/finance-values.ts'
import { samplePayloads } from '../../../support/data/sample-payloads.ts'

const at = '2026-05-14T09:00:00.000Z'
const march = month('2026-03')

type CutOff = Extract<CloseCommand, { type: 'cut-off-month' }>

function cutOff(changes: Partial<Omit<CutOff, 'type'>> = {}): CutOff {
  const first = { month: march, timeZone: zone('UTC'), last: null, accepted: null }
  return { type: 'cut-off-month', ...first, at, ...changes }
}

function closed(changes: Partial<LastClose> = {}): LastClose {
  return { month: month('2026-02'), timeZone: 'UTC', isClosed: true, ...changes }
}

const wasCutOff: CloseEvent = {
  type: 'MonthCutOff',
  data: { month: '2026-03', timeZone: 'UTC' },
}
const wasClosed: CloseEvent = { type: 'MonthClosed', data: samplePayloads.MonthClosed }

const after = (...events: readonly CloseEvent[]) => given(closeDecider, ...events)

const refused = (refusal: CloseRefusal) => ({ refused: refusal })

describe('a month that has ended', () => {
  it('is cut off as the first close', () => {
    expect(after().when(cutOff())).toEqual([wasCutOff])
  })

  it('records what the checks found and why the operator accepted it', () => {
    const accepted = { reason: 'The bank confirmed the payment.', findings: ['1 difference.'] }
    expect(after().when(cutOff({ accepted }))).toEqual([
      { ...wasCutOff, data: { ...wasCutOff.data, accepted } },
    ])
  })

  it('is cut off after the month before it was closed', () => {
    expect(after().when(cutOff({ last: closed() }))).toEqual([wasCutOff])
  })

  it('is closed with its figures after it was cut off', () => {
    const command = { type: 'close-month' as const, closed: samplePayloads.MonthClosed, at }
    expect(after(wasCutOff).when(command)).toEqual([wasClosed])
    expect(after().when(command)).toEqual(refused({ reason: 'not-cut-off' }))
  })

  it('keeps its cut when an interrupted close continues', () => {
    const last = closed({ month: march, isClosed: false })
    expect(after(wasCutOff).when(cutOff({ last }))).toEqual([])
  })

  it('is closed once', () => {
    const last = closed({ month: march })
    const again = { type: 'close-month' as const, closed: samplePayloads.MonthClosed, at }
    const refusal = refused({ reason: 'already-closed' })
    expect(after(wasCutOff, wasClosed).when(cutOff({ last }))).toEqual(refusal)
    expect(after(wasCutOff, wasClosed).when(again)).toEqual(refusal)
  })
})

describe('a month is refused', () => {
  it('before it has ended in the reporting time zone', () => {
    const april = month('2026-04')
    const early = {
      month: april,
      at: '2026-05-01T03:59:59.999Z',
      timeZone: zone('America/New_York'),
    }
    expect(after().when(cutOff(early))).toEqual(refused({ reason: 'not-ended', current: april }))
    const later = after().when(cutOff({ ...early, at: '2026-05-01T04:00:00.000Z' }))
    expect(later).toHaveLength(1)
  })

  it('before the first month that can be closed', () => {
    expect(after().when(cutOff({ month: month('1969-12') }))).toEqual(
      refused({ reason: 'too-early', first: month('1970-01') }),
    )
  })

  it('out of order, with a gap and before the first close', () => {
    const [january, february] = [month('2026-01'), month('2026-02')]
    expect(after().when(cutOff({ last: closed({ month: january }) }))).toEqual(
      refused({ reason: 'out-of-order', last: january, next: february }),
    )
    expect(after().when(cutOff({ month: january, last: closed() }))).toEqual(
      refused({ reason: 'out-of-order', last: february, next: march }),
    )
  })

  it('while the close of the month before it is not complete', () => {
    expect(after().when(cutOff({ last: closed({ isClosed: false }) }))).toEqual(
      refused({ reason: 'unfinished', month: month('2026-02') }),
    )
  })

  it('in another time zone than that of the closed months, also to continue a close', () => {
    const refusal = refused({ reason: 'other-time-zone', timeZone: 'Asia/Tokyo' })
    const last = closed({ timeZone: 'Asia/Tokyo' })
    expect(after().when(cutOff({ last }))).toEqual(refusal)
    const interrupted = { ...last, month: march, isClosed: false }
    expect(after(wasCutOff).when(cutOff({ last: interrupted }))).toEqual(refusal)
  })
})

it.each<[CloseRefusal, RegExp]>([
  [{ reason: 'already-closed' }, /2026-03 is closed already/],
  [{ reason: 'not-cut-off' }, /Run 'billing close 2026-03' again/],
  [{ reason: 'not-ended', current: march }, /has not ended: now is 2026-03/],
  [{ reason: 'too-early', first: month('1970-01') }, /before 1970-01/],
  [{ reason: 'unfinished', month: month('2026-02') }, /Run 'billing close 2026-02' first/],
  [{ reason: 'out-of-order', last: march, next: month('2026-04') }, /closed all months before it/],
  [
    { reason: 'out-of-order', last: month('2026-01'), next: month('2026-02') },
    /Close 2026-02 first/,
  ],
  [{ reason: 'other-time-zone', timeZone: 'Asia/Tokyo' }, /Set REPORTING_TIME_ZONE=Asia\/Tokyo/],
])('the refusal %j says what to do', (refusal, sentence) => {
  expect(refusalInWords(march, refusal)).toMatch(sentence)
})
