import { z } from 'zod'

/** An ISO 4217 code in lower case, as Stripe writes it. */
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/, 'must be three lower-case letters, such as usd.')

/** `amount` is in integer minor units of `currency`: 3900 usd is $39.00. */
export const money = z.object({ amount: z.int(), currency })

export type Money = z.infer<typeof money>
