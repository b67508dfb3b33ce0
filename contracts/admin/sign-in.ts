import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { enteredCode } from '../entered-code.ts'
import { nameContracts } from '../name-contracts.ts'

/** `email`: of a named administrator. A code is mailed to the address. */
export const adminLoginRequest = z.object({
  password: z.string().min(1).max(1024),
  email: emailAddress.optional(),
})
/** `next`: what the sign-in of a named administrator still needs. */
export const adminLoginResponse = z.union([
  z.object({ isAdmin: z.literal(true) }),
  z.object({ isAdmin: z.literal(false), next: z.enum(['email', 'code']) }),
])

/** The code of the mail, in the browser that gave the password. */
export const adminCodeRequest = z.object({
  email: emailAddress,
  code: enteredCode,
})
export const adminCodeResponse = z.object({ isAdmin: z.literal(true) })

nameContracts({
  AdminLoginRequest: adminLoginRequest,
  AdminLoginResponse: adminLoginResponse,
  AdminCodeRequest: adminCodeRequest,
  AdminCodeResponse: adminCodeResponse,
})
