import { expect } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { receipt } from '#contracts/receipts'
import { profile } from '../../support/product/client.ts'
import { buy, type Customer } from './customer.ts'
import { story } from './story.ts'
import { until } from '../../support/machine/until.ts'

const moved = {
  ...profile,
  company_name: 'Northgate Dental Partners',
  address: '9 Harbor Road',
  city: 'Saint Paul',
  zipcode: '55101',
}

/** A change of the company between two invoices. */
export const documents = story(
  async (world) => ({ customer: await buy(world) }),
  [
    {
      day: 'in the middle of the first month',
      fact: 'a change of the company reaches the provider, and leaves the issued receipt as it was',
      async tell({ customer }) {
        const [issued] = await receiptsOf(customer)
        expect(issued?.page).toContain(profile.city)
        await changeProfile(customer)
        const { customers } = customer.world.sandbox.stripe
        await until(async () => {
          const found = await customers.retrieve(await customer.stripeCustomer())
          return !found.deleted && found.name === moved.company_name
        }, 'the provider’s customer has the old name')
        await customer.world.settle()
        expect(await receiptsOf(customer)).toEqual([issued])
      },
    },
    {
      day: 'on the first day of the second month',
      fact: 'the receipt of the renewal names the new company, and the earlier receipt the former one',
      async tell({ customer }) {
        await customer.world.settle()
        const [renewal, first, ...others] = await receiptsOf(customer)
        expect(others).toEqual([])
        for (const text of [renewal?.page, renewal?.pdf]) {
          expect(text).toContain(moved.company_name)
          expect(text).toContain('9 Harbor Road')
          expect(text).toContain('Saint Paul')
          expect(text).not.toContain(profile.city)
        }
        for (const text of [first?.page, first?.pdf]) {
          expect(text).toContain(profile.company_name)
          expect(text).toContain(profile.city)
          expect(text).not.toContain('Saint Paul')
        }
      },
    },
  ],
)

async function changeProfile({ client }: Customer): Promise<void> {
  const { body } = await client.get('/api/profile')
  const { has_accepted_terms: _, ...changed } = moved
  const answer = await client.send('PATCH', '/api/profile', {
    ...changed,
    profile_version: body?.['profile_version'],
  })
  expect([answer.status, answer.body]).toMatchObject([200, {}])
}

/** The texts of the receipts as page and as PDF, the newest first. */
async function receiptsOf({ client, payments, world }: Customer) {
  const paid = (await payments()).payments.filter(({ amount_total }) => amount_total > 0)
  return Promise.all(
    paid.map(async ({ payment_id }) => {
      const path = `/api/receipts/${payment_id}`
      const { billed_to } = receipt.parse((await client.get(path)).body)
      const pdf = await fetch(`${world.product.url}${path}/pdf`, {
        headers: { cookie: client.cookieHeader() },
      })
      const pages = await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer()))
      const { text } = await extractText(pages, { mergePages: true })
      return { page: JSON.stringify(billed_to), pdf: text.replaceAll(/\s+/g, ' ') }
    }),
  )
}
