import { z } from 'zod'

/** ISO 4217, lower case, as Stripe writes it. */
export const currency = z.string().regex(/^[a-z]{3}$/, 'a currency is three lower-case letters')

/** An amount in integer minor units of its currency: 3900 usd is $39.00. */
export const money = z.object({ amount: z.int(), currency })

export type Money = z.infer<typeof money>
