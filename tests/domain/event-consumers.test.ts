import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { event } from '#contracts/events/define-event'
import { eventConsumer } from '#services/foundation/event-consumer'
import { renderMatrix } from '../../scripts/event-matrix/render-matrix.ts'

describe('an event consumer', () => {
  const returned = eventConsumer({
    name: 'test: returned money',
    concernedBy: ['credit-note', 'erasure'],
    ignores: ['CreditNoteVoided', 'ClientErased'],
  })

  it('folds the types with one of its tags that it does not ignore', () => {
    expect([...returned.folds].sort()).toEqual([
      'CreditNoteIssued',
      'EnquiryErased',
      'MerchantErased',
      'PersonalDataErased',
    ])
  })

  it('ignores no type that does not concern it', () => {
    eventConsumer({
      name: 'test: checkouts',
      concernedBy: ['checkout'],
      // @ts-expect-error a refund has another tag, so this line says nothing
      ignores: ['RefundRecorded'],
    })
  })

  it('has a name of its own', () => {
    expect(() => eventConsumer({ name: 'test: returned money', concernedBy: ['refund'] })).toThrow(
      "Two event consumers have the name 'test: returned money'.",
    )
  })
})

describe('the page of events and consumers', () => {
  const consumer = (name: string, folds: readonly string[], ignores: readonly string[]) => ({
    name,
    concernedBy: ['refund'] as const,
    folds: new Set(folds),
    ignores: new Set(ignores),
  })
  const page = renderMatrix(
    {
      money: {
        RefundRecorded: event(['money', 'refund'], { amount: z.int() }),
        RefundRefused: event(['refund'], {}),
        PaymentFailed: event(['payment'], {}),
      },
      people: { AccountOpened: event(['person'], {}) },
    },
    [
      consumer('mails', ['RefundRecorded', 'RefundRefused'], []),
      consumer('books', ['RefundRecorded'], ['RefundRefused']),
    ],
  )

  it('shows for each type which consumer folds, ignores or is not concerned', () => {
    const rows = page.slice(page.indexOf('`money`\n\n|')).split('\n')
    expect(rows.slice(2, 7)).toEqual([
      '| type | tags | books | mails |',
      '| --- | --- | --- | --- |',
      '| `RefundRecorded` Refund recorded | `money` `refund` | **folds** | **folds** |',
      '| `RefundRefused` Refund refused | `refund` | ignores | **folds** |',
      '| `PaymentFailed` Payment failed | `payment` |  |  |',
    ])
  })

  it('has no column for a consumer that no type of the table concerns', () => {
    expect(page).toContain('`people`\n\n| type | tags |\n')
  })
})
