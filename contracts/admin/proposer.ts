import { z } from 'zod'
import { nameContracts } from '../name-contracts.ts'

/** The administrator who proposed something, and who cannot approve it. */
export const proposer = z.object({ id: z.string(), name: z.string() })

nameContracts({ Proposer: proposer })
