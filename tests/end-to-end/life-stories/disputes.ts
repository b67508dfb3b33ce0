import { expect } from '@jest/globals'
import { buy, type Customer } from './customer.ts'
import { story } from './story.ts'

const disputed = '4000000000000259'
const questioned = '4000000000001976'

/** Answers the customer's dispute with evidence that decides it, and ends the subscription. */
async function answer(customer: Customer, text: string): Promise<void> {
  const { stripe } = customer.world.sandbox
  const { charge } = await customer.paid()
  const [dispute] = (await stripe.disputes.list({ charge })).data
  await stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: text } })
  await customer.expectNews('DisputeClosed')
  await customer.end()
  await customer.expectNews('SubscriptionEnded')
}

async function expectPaymentOnPage(customer: Customer, status: string): Promise<void> {
  await customer.look(async ({ transactions }) => {
    expect(await transactions()).toEqual([`Payment, $39.00, ${status}`])
  })
}

/** Disputes that are won and lost, and an inquiry. */
export const disputes = story(
  async (world) => ({
    won: await buy(world, { card: disputed }),
    lost: await buy(world, { card: disputed }),
    inquiry: await buy(world, { card: questioned }),
  }),
  [
    {
      day: 'on the first day',
      fact: 'a dispute shows on its payment, and an inquiry does not',
      async tell({ won, lost, inquiry }) {
        for (const each of [won, lost]) {
          expect(await each.latest('DisputeOpened')).toMatchObject({
            kind: 'chargeback',
            amount: { amount: 3900, currency: 'usd' },
            reason: 'fraudulent',
          })
          expect(await each.latest('DisputeFeeCharged')).toMatchObject({
            fee: { amount: 1500, currency: 'usd' },
          })
          expect(await each.rows()).toEqual([[39, 'disputed']])
          await each.news()
        }
        await expectPaymentOnPage(won, 'Disputed')
        expect(await inquiry.latest('DisputeOpened')).toMatchObject({ kind: 'inquiry' })
        expect(await inquiry.rows()).toEqual([[39, 'paid']])
        await expectPaymentOnPage(inquiry, 'Completed')
        await inquiry.news()
      },
    },
    {
      day: 'on the first day',
      fact: 'a dispute that is won shows the payment as completed again',
      async tell({ won }) {
        await answer(won, 'winning_evidence')
        expect(await won.latest('DisputeClosed')).toMatchObject({ outcome: 'won' })
        expect(await won.rows()).toEqual([[39, 'paid']])
        await expectPaymentOnPage(won, 'Completed')
      },
    },
    {
      day: 'on the first day',
      fact: 'a dispute that is lost stays on its payment',
      async tell({ lost }) {
        await answer(lost, 'losing_evidence')
        expect(await lost.latest('DisputeClosed')).toMatchObject({ outcome: 'lost' })
        expect(await lost.rows()).toEqual([[39, 'dispute_lost']])
        await expectPaymentOnPage(lost, 'Dispute lost')
      },
    },
    {
      day: 'in the middle of the first month',
      fact: 'an inquiry that is closed changes no payment',
      async tell({ inquiry }) {
        await answer(inquiry, 'winning_evidence')
        expect(await inquiry.latest('DisputeClosed')).toMatchObject({ outcome: 'inquiry-closed' })
        expect(await inquiry.rows()).toEqual([[39, 'paid']])
        await expectPaymentOnPage(inquiry, 'Completed')
      },
    },
  ],
)
