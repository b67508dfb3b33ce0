import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { z } from 'zod'
import { count, flag, integer, paramsOf, text } from '#services/sandbox/stripe/params'

const preview = paramsOf<Stripe.InvoiceCreatePreviewParams>()
const checkout = paramsOf<Stripe.Checkout.SessionCreateParams>()

describe('the compiler compares a schema with the parameters of the SDK', () => {
  it('accepts names and values of the SDK at every depth', () => {
    preview({
      customer: text.optional(),
      subscription_details: z
        .strictObject({
          items: z.array(z.strictObject({ id: text, quantity: count.optional() })).length(1),
          proration_behavior: z.enum(['always_invoice', 'none']).optional(),
          cancel_at: z.union([z.literal(''), integer]).optional(),
        })
        .optional(),
    })
    paramsOf<Stripe.CustomerUpdateParams>()({
      metadata: z.union([z.literal(''), z.record(z.string(), z.string())]).optional(),
    })
    expect(Object.keys(checkout({ mode: z.literal('subscription') }).shape)).toEqual(['mode'])
  })

  it('refuses a name that the SDK does not have', () => {
    // @ts-expect-error a wrong name at the top
    preview({ customer_id: text })
    preview({
      customer: text.optional(),
      // @ts-expect-error a wrong name in an object
      subscription_details: z.strictObject({ proration_date: integer, prorate: flag }),
    })
    preview({
      // @ts-expect-error a wrong name in the object of a list
      invoice_items: z.array(z.strictObject({ amount: integer, sum: integer })),
    })
    checkout({
      // @ts-expect-error a wrong name in a list of an object in a list
      line_items: z.array(
        z.strictObject({
          price: text,
          adjustable_quantity: z.strictObject({ enabled: flag, most: count }),
        }),
      ),
    })
    preview({
      // @ts-expect-error a wrong name in one member of a union
      automatic_tax: z.union([
        z.strictObject({ enabled: flag }),
        z.strictObject({ enabled: flag, from: text }),
      ]),
    })
    expect.assertions(0)
  })

  it('refuses a value of another type than the SDK’s', () => {
    // @ts-expect-error a text for a number
    paramsOf<Stripe.CustomerListParams>()({ limit: text })
    // @ts-expect-error a number for a text
    preview({ customer: integer })
    // @ts-expect-error an object for a list
    preview({ invoice_items: z.strictObject({ amount: integer }) })
    preview({
      // @ts-expect-error a text for a number in a list of an object
      subscription_details: z.strictObject({ items: z.array(z.strictObject({ quantity: text })) }),
    })
    const creditNote = paramsOf<Stripe.CreditNoteCreateParams>()
    creditNote({ lines: z.array(z.strictObject({ type: z.literal('custom_line_item') })) })
    creditNote({
      // @ts-expect-error an optional value for a required one in a list
      lines: z.array(z.strictObject({ type: z.literal('custom_line_item').optional() })),
    })
    expect.assertions(0)
  })

  it('refuses a word that is not in the SDK’s list', () => {
    // @ts-expect-error a misspelled word at the top
    checkout({ mode: z.literal('subscripton') })
    preview({
      // @ts-expect-error a misspelled word in an object
      subscription_details: z.strictObject({ proration_behavior: z.enum(['none', 'allways']) }),
    })
    // @ts-expect-error any text for a list of words
    checkout({ mode: text })
    expect.assertions(0)
  })
})
