import { describe, expect, it } from '@jest/globals'
import { parseTimeZone } from '#services/finance/time-zone'
import { parseParameters, type GivenParameters } from '#services/reports/parse-parameters'

function parsed(given: GivenParameters, zone = 'UTC', now = '2026-04-02T03:00:00.000Z') {
  const timeZone = parseTimeZone(zone)
  if (timeZone === null) throw new Error(`${zone} is no time zone.`)
  return parseParameters(given, timeZone, now)
}

describe('the parameters of a report', () => {
  it('are all months, all currencies and everything known until today by default', () => {
    expect(parsed({})).toEqual({
      kind: 'parsed',
      parameters: {
        from: null,
        to: null,
        asOf: '2026-04-02',
        knownAt: null,
        currency: null,
        timeZone: 'UTC',
      },
    })
  })

  it('take today in the reporting time zone', () => {
    expect(parsed({}, 'America/New_York')).toMatchObject({ parameters: { asOf: '2026-04-01' } })
  })

  it('take a time with milliseconds, so that times compare as texts', () => {
    expect(parsed({ knownAt: '2026-03-31T12:00:00Z' })).toMatchObject({
      parameters: { knownAt: '2026-03-31T12:00:00.000Z' },
    })
  })

  it('take a day in the future, for a forecast of recognition', () => {
    expect(parsed({ asOf: '2030-12-31' })).toMatchObject({ parameters: { asOf: '2030-12-31' } })
  })

  it('take a currency in capitals', () => {
    expect(parsed({ currency: 'USD' })).toMatchObject({ parameters: { currency: 'usd' } })
  })

  it.each<[GivenParameters, string]>([
    [{ from: '2026-13' }, '--from 2026-13 is no month'],
    [{ to: 'March' }, '--to March is no month'],
    [{ from: '2026-03', to: '2026-02' }, '--from 2026-03 is after --to 2026-02'],
    [{ from: '2026-04', asOf: '2026-03-31' }, '--from 2026-04 is after --as-of 2026-03-31'],
    [{ asOf: '9999-12-31' }, '9999-12-31 is too late. Reports end before the year 2200.'],
    [{ to: '9999-12' }, '9999-12 is too late. Reports end before the year 2200.'],
    [{ asOf: '2026-02-30' }, '--as-of 2026-02-30 is no day'],
    [{ knownAt: 'yesterday' }, '--known-at yesterday is no time'],
    [{ currency: 'zzz' }, '--currency zzz is no ISO 4217 currency'],
    [{ currency: 'us' }, '--currency us is no ISO 4217 currency'],
    [{ from: '' }, '--from  is no month'],
  ])('refuse %j in one sentence', (given, problem) => {
    const answer = parsed(given)
    expect(answer).toMatchObject({ kind: 'refused' })
    if (answer.kind === 'refused') expect(answer.problem).toContain(problem)
  })
})
