import { expect } from '@jest/globals'
import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import { buy, type Customer } from './customer.ts'
import { story } from './story.ts'

const [monthly, sixMonth, annual] = [
  'price_sandbox_monthly',
  'price_sandbox_six_month',
  'price_sandbox_annual',
]

/** The sum of the proration lines of the newest invoice, and what was paid for it. */
async function newestInvoice(customer: Customer) {
  const { stripe } = customer.world.sandbox
  const { invoice } = await customer.paid()
  const { lines, amount_paid: paid } = await stripe.invoices.retrieve(invoice)
  const proration = lines.data
    .filter(({ parent }) => parent?.subscription_item_details?.proration === true)
    .reduce((total, { amount }) => total + amount, 0)
  return { proration, paid }
}

/** A change to a higher plan, and a second unit of the plan: both charged at once. */
export const upgrade = story(
  async (world) => ({ customer: await buy(world), second: await buy(world) }),
  [
    {
      day: 'in the middle of the first month',
      fact: 'an upgrade in the portal shows the new plan, the credit and the charge',
      async tell({ customer }) {
        await customer.news()
        await customer.changePlanInPortal(annual ?? '')
        await customer.expectNews('PlanChanged', 'PaymentSucceeded')
        const { proration, paid } = await newestInvoice(customer)
        expect(proration).toBeLessThan(0)
        expect(paid).toBe(35_900 + proration)
        expect(await customer.latest('PlanChanged')).toMatchObject({
          from: { planId: 'monthly' },
          to: { planId: 'annual', interval: 'year', price: { amount: 35_900, currency: 'usd' } },
          proration: { amount: proration, currency: 'usd' },
        })
        const [credit, charge] = [proration, paid].map((amount) => toMajorUnits(amount, 'usd'))
        expect(await customer.rows()).toEqual([
          [39, 'paid'],
          [charge, 'paid'],
        ])
        expect(await customer.subscriptions()).toMatchObject([
          { plan_name: 'Annual Plan', status: 'active', price: 359, next_subscription_id: null },
        ])
        expect(await customer.changes()).toMatchObject([
          {
            change_type: 'upgrade',
            previous_plan: 'Monthly Plan',
            new_plan: 'Annual Plan',
            proration_amount: credit,
            withdrawn_date: null,
          },
        ])
        await customer.look(async ({ plan, changes, sees, transactions }) => {
          await sees(plan, 'Annual Plan', '$359.00', 'Active')
          await sees(changes, 'Upgrade', 'Monthly Plan to Annual Plan')
          await sees(changes, `Credit ${formatMoney(-(credit ?? 0), 'usd')}`)
          expect(await transactions()).toEqual([
            `Payment, ${formatMoney(charge ?? 0, 'usd')}, Completed`,
            'Payment, $39.00, Completed',
          ])
        })
      },
    },
    {
      day: 'in the middle of the first month',
      fact: 'a second unit that the merchant invoices at once shows the proration as a charge',
      async tell({ second }) {
        await second.news()
        const { id, item } = await second.subscription()
        await second.world.sandbox.stripe.subscriptions.update(id, {
          items: [{ id: item.id, quantity: 2 }],
          proration_behavior: 'always_invoice',
        })
        await second.expectNews('PlanChanged', 'PaymentSucceeded')
        const { proration, paid } = await newestInvoice(second)
        expect(proration).toBeGreaterThan(0)
        expect(paid).toBe(proration)
        expect(await second.latest('PlanChanged')).toMatchObject({
          from: { quantity: 1 },
          to: { quantity: 2 },
          proration: { amount: proration, currency: 'usd' },
        })
        const charge = toMajorUnits(proration, 'usd')
        expect(await second.rows()).toEqual([
          [charge, 'paid'],
          [39, 'paid'],
        ])
        expect(await second.changes()).toMatchObject([
          { change_type: 'upgrade', proration_amount: charge },
        ])
        await second.look(async ({ plan, changes, sees }) => {
          await sees(plan, 'Monthly Plan', '$78.00')
          await sees(changes, 'Upgrade', `Charge ${formatMoney(charge, 'usd')}`)
        })
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'a renewal after a second unit charges both, and an upgraded plan is not renewed',
      async tell({ customer, second }) {
        await second.expectNews('SubscriptionRenewed', 'PaymentSucceeded')
        expect(await second.latest('PaymentSucceeded')).toMatchObject({ amounts: { paid: 7_800 } })
        await customer.expectNews()
      },
    },
  ],
)

/** A change to a lower plan that takes effect at the period's end, and one that is dropped. */
export const downgrade = story(
  async (world) => ({
    customer: await buy(world, { price: sixMonth ?? '' }),
    undecided: await buy(world, { price: sixMonth ?? '' }),
  }),
  [
    {
      day: 'on the first day',
      fact: 'a downgrade in the portal shows as pending, and the next plan with its start',
      async tell({ customer, undecided }) {
        for (const each of [customer, undecided]) {
          await each.news()
          await each.changePlanInPortal(monthly ?? '')
          await each.expectNews('PlanChangeScheduled')
        }
        const { item } = await customer.subscription()
        const end = new Date(item.current_period_end * 1_000).toISOString()
        expect(await customer.latest('PlanChangeScheduled')).toMatchObject({
          from: { planId: 'six-month' },
          to: { planId: 'monthly' },
          effectiveAt: end,
        })
        expect(await customer.rows()).toEqual([[199, 'paid']])
        const [running, next] = await customer.subscriptions()
        expect([running, next]).toMatchObject([
          {
            plan_name: 'Six-Month Plan',
            status: 'active',
            metadata: { pending_replacement: true },
          },
          { plan_name: 'Monthly Plan', is_plan_change: true, current_period_start: end },
        ])
        expect(running?.next_subscription_id).toBe(next?.subscription_id)
        expect(next?.previous_subscription_id).toBe(running?.subscription_id)
        expect(await customer.changes()).toMatchObject([
          {
            change_type: 'downgrade',
            previous_plan: 'Six-Month Plan',
            new_plan: 'Monthly Plan',
            effective_date: end,
            withdrawn_date: null,
          },
        ])
        await customer.look(async ({ plan, changes, sees, transactions }) => {
          await sees(plan, 'Six-Month Plan', 'Active', 'Plan change pending')
          await sees(plan, 'Monthly Plan', /\$39\.00\/month from/, 'Starts after current plan ends')
          await sees(changes, 'Downgrade', 'Six-Month Plan to Monthly Plan')
          expect(await transactions()).toEqual(['Payment, $199.00, Completed'])
        })
      },
    },
    {
      day: 'in the middle of the first month',
      fact: 'a scheduled downgrade that the customer drops stays in the list as withdrawn',
      async tell({ undecided }) {
        await undecided.inPortal('keep-plan')
        await undecided.expectNews('PlanChangeDropped')
        expect(await undecided.subscriptions()).toMatchObject([
          { plan_name: 'Six-Month Plan', status: 'active', next_subscription_id: null },
        ])
        expect(await undecided.changes()).toMatchObject([
          { change_type: 'downgrade', withdrawn_date: expect.any(String) },
        ])
        await undecided.look(async ({ plan, changes, sees }) => {
          await sees(plan, 'Six-Month Plan', 'Active')
          expect(await plan.getByText('Plan change pending').count()).toBe(0)
          await sees(changes, 'Downgrade', 'Withdrawn')
        })
      },
    },
    {
      day: 'after half a year',
      fact: 'a downgrade takes effect at the end of the period, and a dropped one does not',
      async tell({ customer, undecided }) {
        await customer.expectNews('PlanChanged', 'PaymentSucceeded')
        expect(await customer.latest('PlanChanged')).toMatchObject({
          to: { planId: 'monthly' },
          proration: null,
        })
        expect(await customer.rows()).toEqual([
          [39, 'paid'],
          [199, 'paid'],
        ])
        expect(await customer.subscriptions()).toMatchObject([
          { plan_name: 'Monthly Plan', status: 'active', next_subscription_id: null },
        ])
        expect(await customer.changes()).toMatchObject([
          { change_type: 'downgrade', new_plan: 'Monthly Plan', withdrawn_date: null },
        ])
        await customer.look(async ({ plan, changes, sees }) => {
          await sees(plan, 'Monthly Plan', '$39.00', 'Active')
          expect(await plan.getByText('Plan change pending').count()).toBe(0)
          await sees(changes, 'Downgrade', 'Six-Month Plan to Monthly Plan')
        })
        await undecided.expectNews('SubscriptionRenewed', 'PaymentSucceeded')
        expect(await undecided.rows()).toEqual([
          [199, 'paid'],
          [199, 'paid'],
        ])
      },
    },
  ],
)
