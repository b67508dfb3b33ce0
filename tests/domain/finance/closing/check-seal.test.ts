import { expect, it } from '@jest/globals'
import { checkSeal } from '#services/reports/integrity/check-seal'

const now = Date.parse('2026-03-03T09:00:00.000Z')
const seal = (sealedAt: string) => ({ sequence: 4, sealedAt })

it.each([
  ['of today', '2026-03-03T08:00:00.000Z', 'passed', '0 days old'],
  ['of 31 days ago', '2026-01-31T09:00:00.000Z', 'passed', '31 days old'],
  ['of 32 days ago', '2026-01-30T09:00:00.000Z', 'finding', "Run 'billing events seal'"],
  ['later than the clock of the command', '2026-03-06T09:00:00.000Z', 'passed', '0 days old'],
])('a seal %s', (_, sealedAt, outcome, text) => {
  expect(checkSeal(seal(sealedAt), now)).toMatchObject({
    outcome,
    sentence: expect.stringContaining(text) as unknown,
  })
})

it('a log without a seal is a finding', () => {
  expect(checkSeal(null, now)).toMatchObject({ outcome: 'finding' })
})
