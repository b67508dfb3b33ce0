import { expect } from '@jest/globals'
import { buy } from './customer.ts'
import { story } from './story.ts'

/** A pause of the collection over a renewal, and the end of the pause. */
export const pause = story(
  async (world) => ({ customer: await buy(world) }),
  [
    {
      day: 'in the middle of the first month',
      fact: 'a pause shows the plan as paused, without a next payment',
      async tell({ customer }) {
        await customer.news()
        const { id, item } = await customer.subscription()
        const resumesAt = item.current_period_end + 3 * 86_400
        await customer.world.sandbox.stripe.subscriptions.update(id, {
          pause_collection: { behavior: 'void', resumes_at: resumesAt },
        })
        await customer.expectNews('SubscriptionPaused')
        const resumes = new Date(resumesAt * 1_000).toISOString()
        expect(await customer.latest('SubscriptionPaused')).toMatchObject({ resumesAt: resumes })
        expect(await customer.subscriptions()).toMatchObject([
          { status: 'paused', resumes_at: resumes },
        ])
        await customer.look(async ({ plan, sees }) => {
          await sees(plan, 'Monthly Plan', 'Paused', /The plan is paused\. It resumes on/)
        })
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'a renewal in a pause charges nothing, and its invoice shows as voided',
      async tell({ customer }) {
        await customer.expectNews('SubscriptionRenewed', 'InvoiceWrittenOff')
        expect(await customer.latest('InvoiceWrittenOff')).toMatchObject({
          how: 'voided',
          due: { amount: 3900, currency: 'usd' },
        })
        expect(await customer.rows()).toEqual([[39, 'paid']])
        await customer.look(async ({ plan, sees, transactions }) => {
          await sees(plan, 'Paused')
          expect(await transactions()).toEqual([
            'Payment, $39.00, Voided',
            'Payment, $39.00, Completed',
          ])
        })
      },
    },
    {
      day: 'after the first retry',
      fact: 'a pause ends at its date, and the plan shows as active',
      async tell({ customer }) {
        await customer.expectNews('SubscriptionResumed')
        expect(await customer.subscriptions()).toMatchObject([
          { status: 'active', resumes_at: null },
        ])
        await customer.look(async ({ plan, sees }) => {
          await sees(plan, 'Active', 'Next billing')
        })
      },
    },
  ],
)
