import { describe, expect, it } from '@jest/globals'
import { parseUserId } from '#contracts/ids'
import { schedulePreviewResponse } from '#contracts/receivables/schedule'
import { parseTimeZone } from '#services/finance/time-zone'
import type {
  OwingClient,
  OwingQueries,
  StopsOf,
} from '#services/receivables/schedule/owing-client'
import { dayOf } from '#services/receivables/day-of'
import { textNumberOf } from '#services/sms/text-number'
import { previewOf, type PreviewRequest } from '#services/receivables/schedule/preview'
import { defaultSchedule, type ScheduledStep } from '#services/receivables/schedule/schedule'
import { owedInvoice, owingClient } from '../../support/receivables/owing-client.ts'

/* Wednesday, Nov 25, 2026, 1:00 PM in New York: after the sending hour of the day. */
const now = '2026-11-25T18:00:00.000Z'
const timeZone = parseTimeZone('America/New_York')
if (timeZone === null) throw new Error('The zone is unknown.')

/** A client that texts may reach, too. */
const clientOf = (index: number, changes: Partial<OwingClient> = {}) =>
  owingClient(index, { phone: '+15415550139', mayText: true, ...changes })

/** Pages as the read model gives them. */
function queriesOf(
  clients: readonly OwingClient[],
  stopped: Stopped = { mail: null, text: null },
): Pick<OwingQueries, 'owingClients' | 'owingCounts'> & StopsOf {
  return {
    textNumberOf: async (phone) => textNumberOf(phone, new Set(['US'])),
    owingClients: async (_merchantId, { after, max }) =>
      clients.filter(({ clientId }) => clientId > after).slice(0, max),
    manyStopsOf: async (_merchantId, some) => some.map(() => stopped),
    owingCounts: async () => ({
      clients: clients.length,
      invoices: clients.reduce((sum, { owed }) => sum + owed.length, 0),
    }),
  }
}

type Stopped = Awaited<ReturnType<StopsOf['manyStopsOf']>>[number]

async function preview(
  clients: readonly OwingClient[],
  changes: Partial<PreviewRequest> = {},
  stopped?: Stopped,
) {
  const answer = await previewOf(queriesOf(clients, stopped), {
    merchantId: parseUserId('usr_alder'),
    draft: defaultSchedule,
    saved: null,
    timeZone: timeZone!,
    now,
    sendingSince: now,
    limitOn: () => 200,
    places: new Map(),
    budgetMs: 60_000,
    ...changes,
  })
  return schedulePreviewResponse.parse(answer)
}

const lines = ({ messages }: Awaited<ReturnType<typeof preview>>) =>
  messages.map(({ day, channel, tone, clientName }) => `${day} ${tone} ${channel} ${clientName}`)

describe('the preview of a schedule', () => {
  it('names each message of 30 days with the reason of its day', async () => {
    const answer = await preview([clientOf(1)])
    expect(lines(answer)).toEqual([
      // The third day before is Saturday.
      '2026-11-30 friendly mail Client 1',
      '2026-12-01 friendly mail Client 1',
      '2026-12-04 friendly text Client 1',
      '2026-12-08 firm mail Client 1',
      '2026-12-15 firm text Client 1',
    ])
    expect(answer.messages[0]?.invoices).toEqual([
      {
        receivableId: 'receivable AD-1',
        number: 'AD-1',
        open: 12_000,
        currency: 'usd',
        reason:
          '3 days before the due date. Sat, Nov 28 is no sending day. It goes out on Mon, Nov 30.',
      },
    ])
    expect(answer.messages[1]?.invoices[0]?.reason).toBe('On the due date.')
    expect(answer.days).toHaveLength(30)
    expect(answer.days[0]).toMatchObject({ day: '2026-11-25', isSendingDay: true, mails: 0 })
    expect(answer.days[5]).toMatchObject({ day: '2026-11-30', mails: 1, texts: 0 })
    expect(answer).toMatchObject({
      goesOut: { mails: 3, texts: 2, clients: 1 },
      firstWeek: 2,
      computedFrom: { clients: 1, invoices: 1 },
      all: { clients: 1, invoices: 1 },
    })
  })

  it('waits on days off', async () => {
    const draft = { ...defaultSchedule, daysOff: ['2026-11-30', '2026-12-01'] }
    const answer = await preview([clientOf(1)], { draft })
    expect(lines(answer)[0]).toBe('2026-12-02 friendly mail Client 1')
    expect(answer.messages[0]?.invoices[0]?.reason).toContain('Tue, Dec 1 is a day off.')
    expect(answer.days[5]).toMatchObject({ isSendingDay: false, mails: 0 })
  })

  it('has what it cannot send with the reason, and sends the rest by the other channel', async () => {
    const answer = await preview([
      clientOf(1, { email: null, mayText: false }),
      clientOf(2, { mayText: false }),
    ])
    expect(lines(answer).every((line) => line.endsWith('mail Client 2'))).toBe(true)
    expect(answer.messages[2]?.invoices[0]?.reason).toBe(
      '3 days after the due date. By e-mail: no consent to texts.',
    )
    expect(answer.skipped).toEqual([{ reason: 'No e-mail address, no consent to texts', steps: 5 }])
    expect(answer.days.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(5)
  })

  it('marks what the draft adds to what is saved, and nothing of an equal draft', async () => {
    const added: ScheduledStep = {
      stepId: '7d1f3c52-9a64-4b0e-8f27-5b1de04c7a60',
      offset: 10,
      channel: 'mail',
      tone: 'firm',
      since: now,
      includesPast: false,
    }
    const draft = { ...defaultSchedule, steps: [...defaultSchedule.steps, added] }
    const answer = await preview([clientOf(1)], { draft, saved: defaultSchedule })
    expect(answer.messages.filter(({ isAdded }) => isAdded).map(({ day }) => day)).toEqual([
      '2026-12-11',
    ])
    expect(answer.days.reduce((sum, day) => sum + day.added, 0)).toBe(1)
    const equal = await preview([clientOf(1)], { saved: defaultSchedule })
    expect(equal.messages.some(({ isAdded }) => isAdded)).toBe(false)
  })

  it('catches up once, friendly, what passed before reminders were on', async () => {
    const late = clientOf(1, { owed: [owedInvoice('AD-9', '2026-10-01')] })
    const answer = await preview([late])
    expect(lines(answer)).toEqual(['2026-11-26 friendly mail Client 1'])
    expect(answer.messages[0]?.invoices[0]?.reason).toBe(
      '30 days after the due date. Its day, Sat, Oct 31, passed before reminders were on, so it is a catch-up. It goes out on Thu, Nov 26. In the friendly tone instead of the final one.',
    )
  })

  it('keeps the limit of a day over all clients', async () => {
    const clients = Array.from({ length: 12 }, (_, index) =>
      clientOf(index, { owed: [owedInvoice(`AD-${index}`, '2026-10-01')] }),
    )
    const answer = await preview(clients, { limitOn: () => 5 })
    expect(answer.days.filter(({ mails }) => mails > 0).map(({ mails }) => mails)).toEqual([
      5, 5, 2,
    ])
  })

  it('counts what was sent today, and the limit of each day', async () => {
    const clients = Array.from({ length: 12 }, (_, index) =>
      clientOf(index, { owed: [owedInvoice(`AD-${index}`, '2026-10-01')] }),
    )
    const answer = await preview(clients, {
      now: '2026-11-25T13:00:00.000Z',
      sendingSince: '2026-11-25T13:00:00.000Z',
      places: new Map([[dayOf('2026-11-25'), { clients: 2, wasFull: false }]]),
      limitOn: (date) => (date === '2026-11-25' ? 5 : 20),
    })
    expect(answer).toMatchObject({ dailyLimit: 5, catchUps: 12 })
    expect(answer.days.slice(0, 2).map(({ mails }) => mails)).toEqual([3, 9])
  })

  it('says who took the places of a day before, and that it is no catch-up', async () => {
    const answer = await preview([clientOf(1, { owed: [owedInvoice('AD-1', '2026-11-17')] })], {
      sendingSince: '2026-11-01T13:00:00.000Z',
      places: new Map([[dayOf('2026-11-24'), { clients: 199, wasFull: true }]]),
    })
    expect(answer.messages[0]).toMatchObject({
      tone: 'firm',
      invoices: [
        {
          reason:
            '7 days after the due date. Your other clients take all messages of the day. It goes out on Wed, Nov 25.',
        },
      ],
    })
  })

  it('sends no text to a number that gets none, as the sending does', async () => {
    // Lines that cost more, in an area code of Oregon.
    const answer = await preview([clientOf(1, { phone: '+15419760139', email: null })])
    expect(answer.messages).toEqual([])
    expect(answer.skipped).toEqual([{ reason: 'No e-mail address, texts not allowed', steps: 5 }])
  })

  it('sends nothing to a stopped or bounced address, and says so', async () => {
    const stopped = await preview(
      [clientOf(1, { textBounced: true })],
      {},
      {
        mail: 'portal',
        text: null,
      },
    )
    expect(stopped.messages).toEqual([])
    expect(stopped.skipped).toEqual([{ reason: 'E-mails stopped, number bounced', steps: 5 }])
  })

  it('has nothing of an invoice whose payment is on its way, and the rest as it was', async () => {
    const paying = clientOf(1, {
      owed: [owedInvoice('AD-1', '2026-12-01'), owedInvoice('AD-2', '2026-12-01')],
      payments: [{ receivableIds: ['receivable AD-1'], endedAt: null }],
    })
    const answer = await preview([paying])
    const told = answer.messages.flatMap(({ invoices }) => invoices.map(({ number }) => number))
    expect([...new Set(told)]).toEqual(['AD-2'])
    expect(answer.messages).toHaveLength(5)
  })

  it('repeats no step that ended, and counts the last messages of the client', async () => {
    const known = clientOf(1, {
      owed: [owedInvoice('AD-1', '2026-11-26')],
      ended: defaultSchedule.steps.slice(0, 1).map(({ stepId }) => ({
        receivableId: 'receivable AD-1',
        stepId,
        repetition: 0,
        day: '2026-11-23',
        isTold: true,
        isUndelivered: false,
      })),
      messages: ['2026-11-21', '2026-11-22', '2026-11-24'].map((date) => ({
        day: date,
        state: 'sent',
        why: null,
      })),
    })
    const answer = await preview([known], { sendingSince: '2026-09-01T12:00:00.000Z' })
    expect(lines(answer).slice(0, 2)).toEqual([
      // The client had three messages in the 7 days before Saturday.
      '2026-11-30 friendly text Client 1',
      '2026-12-03 firm mail Client 1',
    ])
    expect(answer.messages[0]?.invoices[0]?.reason).toBe(
      '3 days after the due date. Sun, Nov 29 is no sending day. It goes out on Mon, Nov 30.',
    )
    expect(answer.replaced).toBe(1)
  })

  it('counts the invoices that are past the day of a new step', async () => {
    const [first] = defaultSchedule.steps
    if (first === undefined) throw new Error('The default has steps.')
    const added: ScheduledStep = {
      ...first,
      stepId: '7d1f3c52-9a64-4b0e-8f27-5b1de04c7a60',
      offset: 10,
      since: now,
    }
    const clients = ['2026-11-14', '2026-11-15', '2026-12-01'].map((due, index) =>
      clientOf(index, { owed: [owedInvoice(`AD-${index}`, due)] }),
    )
    const draft = { ...defaultSchedule, steps: [...defaultSchedule.steps, added] }
    const answer = await preview(clients, { draft })
    expect(answer.past).toEqual([{ stepId: added.stepId, invoices: 1 }])
  })

  it('answers for the first clients if all of them take too long, and says so', async () => {
    const clients = Array.from({ length: 40 }, (_, index) => clientOf(index))
    const answer = await preview(clients, { budgetMs: 0 })
    expect(answer.computedFrom.clients).toBeLessThan(40)
    expect(answer.all).toEqual({ clients: 40, invoices: 40 })
  })

  it('is of all clients, over several pages', async () => {
    const clients = Array.from({ length: 252 }, (_, index) =>
      clientOf(index, { owed: [owedInvoice(`AD-${index}`, '2027-06-01')] }),
    )
    const answer = await preview(clients)
    expect(answer.computedFrom).toEqual({ clients: 252, invoices: 252 })
    expect(answer.messages).toEqual([])
  })
})
