import { z } from 'zod'
import { instant } from './instant.ts'
import { nameContracts } from './name-contracts.ts'

/** `POST /api/keep-plan`: withdraws the scheduled cancellation. A repeat changes nothing. */
export const keepPlanRequest = z.object({ subscriptionId: z.string().min(1).max(255) })
/** `renews_at` is null while the plan is paused. */
export const keepPlanResponse = z.object({ plan: z.string(), renews_at: instant.nullable() })

nameContracts({ KeepPlanRequest: keepPlanRequest, KeepPlanResponse: keepPlanResponse })
