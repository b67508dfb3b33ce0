import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { HistoryMark } from '#contracts/admin/history'
import { endOfInput, inputOf } from '../../web/features/admin/history/as-of.ts'
import { groupByDay } from '../../web/features/admin/history/group-by-day.ts'
import { jsonLines, jsonText } from '../../web/features/admin/history/json-lines.ts'
import { isNoticeable, recordingDelay } from '../../web/features/admin/history/recording-delay.ts'
import { stripScale } from '../../web/features/admin/history/strip-scale.ts'
import { anEvent } from './support/history-data.ts'

describe('the days of a timeline', () => {
  it('are UTC days in the order of the events', () => {
    const days = groupByDay([
      anEvent({ revision: 3, occurred_at: '2026-03-18T00:00:00.000Z' }),
      anEvent({ revision: 2, occurred_at: '2026-03-17T23:59:59.999Z' }),
      anEvent({ revision: 1, occurred_at: '2026-03-17T00:00:00.000Z' }),
    ])
    expect(days.map(({ day, events }) => [day, events.map(({ revision }) => revision)])).toEqual([
      ['2026-03-18', [3]],
      ['2026-03-17', [2, 1]],
    ])
  })

  it('are none without events', () => {
    expect(groupByDay([])).toEqual([])
  })
})

describe('the time from an event to its record', () => {
  const occurred = '2026-03-18T14:06:28.000Z'
  const after = (ms: number) => new Date(Date.parse(occurred) + ms).toISOString()

  it.each([
    [0, 'at once'],
    [7, '7 ms later'],
    [400, '0.4 s later'],
    [1000, '1 s later'],
    [9940, '9.9 s later'],
    [59_400, '59 s later'],
    [59_600, '1 min later'],
    [3 * 60_000, '3 min later'],
    [5 * 3_600_000, '5 h later'],
    [47.4 * 3_600_000, '47 h later'],
    [12 * 86_400_000, '12 days later'],
    [-2000, '2 s earlier'],
  ])('of %d ms is "%s"', (ms, words) => {
    expect(recordingDelay(occurred, after(ms))).toBe(words)
  })

  it('is noticeable from a minute on', () => {
    expect(isNoticeable(occurred, after(59_999))).toBe(false)
    expect(isNoticeable(occurred, after(60_000))).toBe(true)
    expect(isNoticeable(occurred, after(-60_000))).toBe(true)
  })
})

describe('the colored lines of JSON', () => {
  const textOf = (value: unknown) =>
    jsonLines(value)
      .map(({ indent, tokens }) => ' '.repeat(indent) + tokens.map(({ text }) => text).join(''))
      .join('\n')

  it('have the text of the JSON, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(textOf(value)).toBe(jsonText(value))
      }),
    )
  })

  it('name the kind of each token', () => {
    const value = { 'a "key": 1': ['text: 2', -1.5e21, true, null, {}] }
    expect(
      jsonLines(value).flatMap(({ tokens }) =>
        tokens
          .filter(({ kind }) => kind !== 'punctuation')
          .map(({ kind, text }) => `${kind} ${text}`),
      ),
    ).toEqual([
      'key "a \\"key\\": 1"',
      'string "text: 2"',
      'number -1.5e+21',
      'word true',
      'word null',
    ])
  })
})

describe('the strip of a history', () => {
  const on = (day: string, mark: HistoryMark = 'paid', count = 1) => ({ day, mark, count })

  it('has a label per month of a year, with the year at its ends', () => {
    const { labels, needle } = stripScale({
      days: [on('2025-03-14'), on('2026-03-03')],
      needle: '2026-03-18T15:00:00.000Z',
      shown: null,
    })
    expect(labels.map(({ text }) => text).join(' ')).toBe(
      'Mar 2025 Apr May Jun Jul Aug Sep Oct Nov Dec Jan 2026 Feb Mar',
    )
    expect(labels[0]?.left).toBe(0)
    expect(needle).toBeGreaterThan(96)
    expect(needle).toBeLessThan(98)
  })

  it.each([
    ['2026-03-18', 'Mar 11 Mar 12 Mar 13 Mar 14 Mar 15 Mar 16 Mar 17 Mar 18'],
    ['2026-02-18', 'Feb 18 Feb 25 Mar 4 Mar 11 Mar 18'],
    ['2024-06-10', 'May 2024 Jul Sep Nov Jan 2025 Mar May Jul Sep Nov Jan 2026 Mar'],
    ['2008-05-01', '2008 2010 2012 2014 2016 2018 2020 2022 2024'],
    ['1971-05-01', '1970 1975 1980 1985 1990 1995 2000 2005 2010 2015 2020 2025'],
  ])('that began on %s has the labels %s', (day, texts) => {
    const { labels } = stripScale({
      days: [on(day)],
      needle: '2026-03-18T15:00:00.000Z',
      shown: null,
    })
    expect(labels.map(({ text }) => text).join(' ')).toBe(texts)
  })

  it('places ticks in the order of their days, and those of one day beside each other', () => {
    const { ticks } = stripScale({
      days: [
        on('2026-01-01', 'failed'),
        on('2026-01-01', 'paid', 3),
        on('2026-02-01', 'mail'),
        on('2026-02-01', 'text'),
        on('2026-03-01', 'returned'),
      ],
      needle: '2026-03-18T15:00:00.000Z',
      shown: null,
    })
    expect(ticks.failed[0]).toBeLessThan(ticks.paid[0] ?? 0)
    expect(ticks.paid[0]).toBeLessThan(ticks.other[0] ?? 0)
    expect(ticks.other[0]).toBeLessThan(ticks.returned[0] ?? 0)
    expect(ticks.paid).toHaveLength(1)
    expect(ticks.other).toHaveLength(1)
    expect(ticks['plan-change']).toEqual([])
  })

  it('has no tick after the needle on the day of the needle', () => {
    const { ticks, needle } = stripScale({
      days: [on('2026-03-18', 'plan-change'), on('2026-03-18', 'other')],
      needle: '2026-03-18T06:00:00.000Z',
      shown: null,
    })
    expect(ticks.other[0]).toBeLessThan(needle)
    expect(ticks['plan-change'][0]).toBeLessThan(ticks.other[0] ?? 0)
  })

  it('shades the part that the list shows, also if that is one event', () => {
    const scale = (from: string, to: string) =>
      stripScale({
        days: [on('2025-03-14'), on('2026-03-18')],
        needle: '2026-03-18T15:00:00.000Z',
        shown: { from, to },
      }).shown
    const half = scale('2025-09-15T00:00:00.000Z', '2026-03-18T14:00:00.000Z')
    expect(half?.left).toBeCloseTo(50.4, 0)
    expect(half?.width).toBeCloseTo(46.6, 0)
    expect(scale('2026-03-18T14:00:00.000Z', '2026-03-18T14:00:00.000Z')?.width).toBe(0.5)
  })

  it('states the same in words', () => {
    expect(
      stripScale({
        days: [
          on('2025-03-14', 'mail', 4),
          on('2025-03-15', 'paid', 2),
          on('2026-03-03', 'failed'),
        ],
        needle: '2026-03-18T15:00:00.000Z',
        shown: { from: '2026-01-09T16:18:02.000Z', to: '2026-03-03T09:12:00.000Z' },
      }).words,
    ).toBe(
      'Mar 14, 2025 to Mar 3, 2026: 2 payments, 1 failed payment, 4 account events and messages. ' +
        'The list shows Jan 9, 2026 to Mar 3, 2026.',
    )
  })

  it('of an account without events has a line and a needle', () => {
    const scale = stripScale({ days: [], needle: '2026-03-18T15:00:00.000Z', shown: null })
    expect(scale.words).toBe('No events.')
    expect(scale.needle).toBeGreaterThan(90)
  })
})

describe('the instant of "as of"', () => {
  it.each([
    ['2026-03-03', '', '2026-03-03T23:59:59.999Z'],
    ['2026-03-03', '09:12', '2026-03-03T09:12:59.999Z'],
    ['2026-03-03', '09:12:04', '2026-03-03T09:12:04.999Z'],
    ['2026-03-03', '09:12:04.5', '2026-03-03T09:12:04.999Z'],
  ])('is the end of %s %s', (date, time, instant) => {
    expect(endOfInput({ date, time })).toBe(instant)
  })

  it('is none for an incomplete or impossible date', () => {
    for (const date of ['', '2026-02-30', '20260303'])
      expect(endOfInput({ date, time: '' })).toBeNull()
  })

  it('is shown in the fields that named it', () => {
    for (const input of [
      { date: '2026-03-03', time: '' },
      { date: '2026-03-03', time: '09:12:04' },
    ])
      expect(inputOf(endOfInput(input))).toEqual(input)
    expect(inputOf(null)).toEqual({ date: '', time: '' })
  })
})
