import { z } from 'zod'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'

/**
 * An administrator set the shown status of a refund and gave no reason. The API refuses that:
 * only older events lack a reason. The reason is a personal field: a given reason reads as
 * '[erased]' without its key, and null stays null.
 *
 * Source: PCAOB AS 2401.61 names changes with little or no explanation as a sign of fraud.
 */
export const overrideWithoutReason = defineControl({
  name: 'override-without-reason',
  title: 'Status override without reason',
  sentence: 'Every override of a refund status has a reason.',
  consumer: eventConsumer({
    name: 'control override-without-reason',
    concernedBy: ['refund'],
    ignores: ['RefundRequested', 'RefundRefused', 'RefundRecorded', 'RefundStatusChanged'],
  }),
  state: z.object({}),
  begin: () => ({}),
  step(_, { data: { refundId, from, to, reason } }) {
    if (reason !== null && reason.trim() !== '') return null
    return `An administrator set the status of ${refundId} from ${from} to ${to} and gave no reason.`
  },
})
