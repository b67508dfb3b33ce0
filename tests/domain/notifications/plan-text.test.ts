import { expect, it } from '@jest/globals'
import { foldAccount } from '#services/notifications/known'
import { linksAt } from '#services/notifications/links'
import { planText } from '#services/notifications/texting/plan-text'
import { accountOpened, profileCompleted, recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const reminder = recorded('dunning-usr_1', {
  type: 'DunningReminderDue',
  data: { ...samplePayloads.DunningReminderDue, day: 3 },
} as const)
const countries = new Set(['US'])
const known = {
  account: foldAccount([
    accountOpened('usr_1', 'dana@birchwood.example'),
    profileCompleted('usr_1'),
  ]),
  failedInvoices: [],
}

it.each([
  ['on the fourth day', '2026-04-07T18:00:00.000Z', { kind: 'send' }],
  [
    'when the next reminder is due',
    '2026-04-08T18:00:00.000Z',
    { kind: 'unsent', why: 'outdated', reason: 'the next reminder is due' },
  ],
])('a text of day 3 that was delayed, %s', (_when, now, planned) => {
  const links = linksAt('https://billing.example')
  expect(planText(reminder, known, countries, new Date(now), links)).toMatchObject(planned)
})

it('the text to an erased account is not sent, and this is recorded', () => {
  const account = foldAccount([
    accountOpened('usr_1', 'dana@birchwood.example'),
    recorded('account-usr_1', {
      type: 'PersonalDataErased',
      data: samplePayloads.PersonalDataErased,
    }),
  ])
  const now = new Date('2026-04-07T18:00:00.000Z')
  const links = linksAt('https://billing.example')
  expect(planText(reminder, { ...known, account }, countries, now, links)).toEqual({
    kind: 'unsent',
    to: null,
    why: 'outdated',
    reason: 'the account was erased',
  })
})

it('no text asks for another card after the customer entered one', () => {
  const { data } = reminder
  const { method } = samplePayloads.CardReminderDue
  const invoice = {
    ...data,
    open: data.due,
    reason: 'The card has expired.',
    nextAttemptAt: null,
    method: null,
    newMethod: method,
    payment: null,
  }
  const failedInvoices = [{ ...invoice, standing: 'unpaid' as const }]
  const now = new Date('2026-04-07T18:00:00.000Z')
  const links = linksAt('https://billing.example')
  expect(planText(reminder, { ...known, failedInvoices }, countries, now, links)).toMatchObject({
    why: 'outdated',
    reason: 'the card was replaced',
  })
})
