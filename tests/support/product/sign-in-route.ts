import { z } from 'zod'
import type { Routes } from '#services/http/routes'

type SignedIn = 'customer' | 'admin'

/**
 * A call of a tested area that signs in without a code or a password: as the customer `usr_1`, as
 * the administrator `adm_1`, or as both.
 */
export function signInRoute(path: `/api/${string}`, ...as: readonly SignedIn[]): Routes {
  return (route) =>
    route({
      method: 'post',
      path,
      summary: `Sign in as ${as.join(' and ')}`,
      access: 'public',
      answer: z.object({}),
      async handle(_input, { customer, admin }) {
        if (as.includes('customer')) await customer.signIn('usr_1')
        if (as.includes('admin')) await admin.signIn('adm_1')
        return {}
      },
    })
}
