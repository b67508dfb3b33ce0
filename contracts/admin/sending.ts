import { z } from 'zod'
import { filled } from '../form-text.ts'
import { nameContracts } from '../name-contracts.ts'
import { sendingStop } from '../receivables/schedule.ts'

/** How many clients a merchant may message in a day. */
const clientsInADay = z.int().min(1).max(100_000)

const sendingLimits = z.object({
  /** In the first week of its reminders. */
  firstWeek: clientsInADay,
  later: clientsInADay,
})

/** `GET /api/admin/users/:userId/sending`: whether a merchant's clients get messages. */
export const sendingResponse = z.object({
  remindersAreOn: z.boolean(),
  /** Null: messages may go out. */
  stopped: sendingStop.nullable(),
  limits: sendingLimits,
})

/** `POST /api/admin/users/:userId/sending`. A repeat changes nothing. */
export const sendingAct = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('stop'), reason: filled('Reason', 500) }),
  z.strictObject({ type: z.literal('allow') }),
  z.strictObject({ type: z.literal('set-limits'), limits: sendingLimits }),
])
export const sendingActResponse = z.object({
  /** Shown to the administrator. */
  message: z.string(),
})

export type SendingResponse = z.infer<typeof sendingResponse>
export type SendingAct = z.infer<typeof sendingAct>

nameContracts({
  MerchantSendingLimits: sendingLimits,
  MerchantSending: sendingResponse,
  MerchantSendingAct: sendingAct,
  MerchantSendingActResponse: sendingActResponse,
})
