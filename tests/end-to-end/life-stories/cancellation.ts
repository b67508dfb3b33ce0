import { expect } from '@jest/globals'
import { buy } from './customer.ts'
import { story } from './story.ts'

/** A cancellation, its withdrawal, and a second cancellation that takes effect. */
export const cancellation = story(
  async (world) => ({ customer: await buy(world) }),
  [
    {
      day: 'on the first day',
      fact: 'a cancellation in the portal shows the end of the plan',
      async tell({ customer }) {
        await customer.news()
        await customer.inPortal('cancel')
        await customer.expectNews('CancellationScheduled')
        const [plan] = await customer.subscriptions()
        expect(plan).toMatchObject({ status: 'active', will_cancel: true })
        expect(plan?.cancel_at).toBe(plan?.current_period_end)
        expect(await customer.changes()).toMatchObject([
          {
            change_type: 'cancellation',
            effective_date: plan?.current_period_end,
            withdrawn_date: null,
          },
        ])
        await customer.look(async ({ plan, changes, sees }) => {
          await sees(plan, 'Active', 'Cancels at period end', 'Cancels on')
          await sees(changes, 'Cancellation')
        })
      },
    },
    {
      day: 'in the middle of the first month',
      fact: 'a withdrawn cancellation stays in the list, and the plan continues',
      async tell({ customer }) {
        await customer.inPortal('keep')
        await customer.expectNews('CancellationWithdrawn')
        expect(await customer.subscriptions()).toMatchObject([
          { status: 'active', will_cancel: false, cancel_at: null },
        ])
        expect(await customer.changes()).toMatchObject([
          { change_type: 'cancellation', withdrawn_date: expect.any(String) },
        ])
        await customer.look(async ({ plan, changes, sees }) => {
          await sees(plan, 'Active', 'Next billing')
          expect(await plan.getByText('Cancels at period end').count()).toBe(0)
          await sees(changes, 'Cancellation', 'Withdrawn', /Withdrawn \w+ \d+, \d{4}\./)
        })
        await customer.inPortal('cancel')
        await customer.expectNews('CancellationScheduled')
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'a canceled plan has ended, is not charged again, and both cancellations are listed',
      async tell({ customer }) {
        await customer.expectNews('SubscriptionEnded')
        expect(await customer.latest('SubscriptionEnded')).toMatchObject({ why: 'canceled' })
        expect(await customer.rows()).toEqual([[39, 'paid']])
        const [plan] = await customer.subscriptions()
        expect(plan).toMatchObject({ status: 'canceled', will_cancel: false })
        const changes = await customer.changes()
        expect(changes.map((each) => [each.change_type, each.withdrawn_date === null])).toEqual([
          ['cancellation', true],
          ['cancellation', false],
        ])
        expect(changes[0]?.effective_date).toBe(plan?.current_period_end)
        await customer.look(async ({ page, changes: list, transactions }) => {
          await page.getByText('No active subscription', { exact: false }).first().waitFor()
          await list.getByText('Cancellation').nth(1).waitFor()
          expect(await list.getByText('Cancellation').count()).toBe(2)
          expect(await transactions()).toEqual(['Payment, $39.00, Completed'])
        })
      },
    },
  ],
)
