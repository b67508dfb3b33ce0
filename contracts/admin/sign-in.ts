import { z } from 'zod'
import { nameContracts } from '../name-contracts.ts'

export const adminLoginRequest = z.object({ password: z.string().min(1).max(1024) })
export const adminLoginResponse = z.object({ isAdmin: z.literal(true) })

nameContracts({
  AdminLoginRequest: adminLoginRequest,
  AdminLoginResponse: adminLoginResponse,
})
