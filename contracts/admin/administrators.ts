import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { filled } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { adminRole } from './roles.ts'

/** A named administrator, also one who was ended. */
const administrator = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: adminRole,
  added_at: instant,
  /** Null: the person has not signed in yet. */
  last_sign_in_at: instant.nullable(),
  passkeys: z.int().min(0),
  /** Null: the person is an administrator now. */
  ended_at: instant.nullable(),
})

/** `GET /api/admin/administrators`: in the order in which they were added. */
export const administratorsResponse = z.object({ items: z.array(administrator) })

export const addAdministratorRequest = z.object({
  name: filled('Name', 200),
  email: emailAddress,
  role: adminRole,
})

/** The name only: the address is that of the sign-in, and another address is another person. */
export const renameAdministratorRequest = z.object({ name: filled('Name', 200) })

export const changeRoleRequest = z.object({ role: adminRole })

/** `message`: what happened, for the person who did it. */
export const administratorChanged = z.object({ id: z.string(), message: z.string() })

export type AdministratorItem = z.infer<typeof administrator>

nameContracts({
  Administrator: administrator,
  AddAdministratorRequest: addAdministratorRequest,
  RenameAdministratorRequest: renameAdministratorRequest,
  ChangeRoleRequest: changeRoleRequest,
  AdministratorChanged: administratorChanged,
})
