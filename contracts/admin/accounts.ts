import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { nameContracts } from '../name-contracts.ts'

/** The answer to a toggled block. `message` is shown to the administrator. */
export const toggleBlockResponse = z.object({ blocked: z.boolean(), message: z.string() })

/** A second address that the user can sign in with. */
export const updateUserEmailRequest = z.object({
  userId: z.string().min(1).max(64),
  email: emailAddress,
  type: z.literal('secondary'),
})
export const updateUserEmailResponse = z.object({ message: z.string() })

nameContracts({
  ToggleBlockResponse: toggleBlockResponse,
  UpdateUserEmailRequest: updateUserEmailRequest,
  UpdateUserEmailResponse: updateUserEmailResponse,
})
