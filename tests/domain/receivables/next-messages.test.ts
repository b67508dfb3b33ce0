import { describe, expect, it } from '@jest/globals'
import { parseUserId } from '#contracts/ids'
import { nextMessagesResponse } from '#contracts/receivables/messages'
import { addDays } from '#services/finance/calendar'
import { merchantDecider } from '#services/receivables/merchant-decider'
import type { OwingClient } from '#services/receivables/schedule/owing-client'
import type { KnownMerchant } from '#services/receivables/sending/known-merchant'
import { createNextMessages } from '#services/receivables/sending/next-messages'
import { owedInvoice, owingClient } from '../../support/receivables/owing-client.ts'
import { day, newYork } from '../../support/receivables/reminders.ts'

const merchantId = parseUserId('usr_alder')
/* Wednesday, Nov 25, 2026, 8:00 AM in New York. */
const now = '2026-11-25T13:00:00.000Z'

const merchant: KnownMerchant = {
  merchantId,
  merchant: {
    isBlocked: false,
    plan: 'usable',
    feeBasisPoints: 500,
    companyName: 'Alder Dental',
    isErased: false,
    email: 'billing@alder.example',
    phone: null,
    address: [],
  },
  settings: {
    ...merchantDecider.initialState,
    reminders: { ...merchantDecider.initialState.reminders, isOn: true },
  },
  timeZone: newYork,
  maySend: true,
  sendingSince: '2026-11-01T12:00:00.000Z',
  limitOn: () => 200,
  takenOn: () => 0,
  isFull: () => false,
}

const clientOf = (index: number, dueDate: string, email: string | null) =>
  owingClient(index, { email, owed: [owedInvoice(`AD-${index}`, dueDate)] })

async function next(
  clients: readonly OwingClient[],
  known: Partial<KnownMerchant> = {},
  budgetMs = 60_000,
) {
  const answer = await createNextMessages({
    known: { merchantOf: async () => ({ ...merchant, ...known }) },
    queries: {
      textNumberOf: null,
      manyStopsOf: async (_merchantId, some) => some.map(() => ({ mail: null, text: null })),
      owingClientsAmong: async (_merchantId, among) =>
        clients.filter(
          ({ clientId }) => 'clientIds' in among && among.clientIds.includes(clientId),
        ),
    },
    nextClients: async (_merchantId, max, until) =>
      clients
        .map(({ clientId, owed }) => ({
          clientId,
          dueAt: `${owed[0]?.dueDate ?? ''}T14:30:00.000Z`,
        }))
        .filter(({ dueAt }) => dueAt < until)
        .toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
        .slice(0, max),
    clock: { now: () => new Date(now) },
    budgetMs,
  }).next(merchantId)
  return nextMessagesResponse.parse({ ...answer, sentToday: { mails: 0, texts: 0 } })
}

describe('what goes out next', () => {
  it('is by day of two weeks, with what does not go out and why', async () => {
    const answer = await next([
      clientOf(1, '2026-11-27', 'ap@one.example'),
      clientOf(2, '2026-11-27', null),
    ])
    expect(answer.days).toHaveLength(14)
    expect(answer.days[2]).toEqual({
      day: '2026-11-27',
      isSendingDay: true,
      mails: 1,
      texts: 0,
      skipped: 1,
    })
    expect(answer.messages[0]).toEqual({
      day: '2026-11-25',
      at: '2026-11-25T14:30:00.000Z',
      clientId: 'client_0001',
      clientName: 'Client 1',
      channel: 'mail',
      tone: 'friendly',
      invoices: [
        {
          receivableId: 'receivable AD-1',
          number: 'AD-1',
          open: 12_000,
          currency: 'usd',
          reason:
            '3 days before the due date. Nothing could be sent then. It goes out on Wed, Nov 25.',
        },
      ],
    })
    expect(answer.notSent.at(-1)).toMatchObject({
      clientName: 'Client 2',
      number: 'AD-2',
      reason: 'No e-mail address, no phone number.',
    })
  })

  it('has the days that are complete, if there are more clients than time', async () => {
    const clients = Array.from({ length: 600 }, (_, index) =>
      clientOf(index, addDays(day('2026-11-25'), Math.floor(index / 60)), 'ap@one.example'),
    )
    const answer = await next(clients, {}, 0)
    expect(answer.days.map((each) => each.day)).toEqual(['2026-11-25'])
  })

  it('is nothing while reminders are off, with the reason', async () => {
    const { reminders, ...settings } = merchant.settings
    const answer = await next([clientOf(1, '2026-11-27', 'ap@one.example')], {
      sendingSince: null,
      settings: { ...settings, reminders: { ...reminders, isOn: false } },
    })
    expect(answer).toMatchObject({ days: [], messages: [], notSent: [] })
    expect(answer.stillness).toContain('Reminders are off')
  })
})
