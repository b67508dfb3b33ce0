import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { nameContracts } from '../name-contracts.ts'

/**
 * `POST /api/admin/users/{id}/toggle-block`. `blocked` sets the wanted state, whatever the state
 * is: a repetition changes nothing. Without a body, as the specification has it, the call toggles.
 * A JSON parser reads an empty body as an empty object.
 */
export const toggleBlockRequest = z.strictObject({ blocked: z.boolean().optional() }).optional()

/** The answer to a block. `message` is shown to the administrator. */
export const toggleBlockResponse = z.object({ blocked: z.boolean(), message: z.string() })

/** A second address that the user can sign in with. */
export const updateUserEmailRequest = z.object({
  userId: z.string().min(1).max(64),
  email: emailAddress,
  type: z.literal('secondary'),
})
export const updateUserEmailResponse = z.object({ message: z.string() })

nameContracts({
  ToggleBlockRequest: toggleBlockRequest,
  ToggleBlockResponse: toggleBlockResponse,
  UpdateUserEmailRequest: updateUserEmailRequest,
  UpdateUserEmailResponse: updateUserEmailResponse,
})
