import { describe, jest } from '@jest/globals'
import { paymentsHappenOnce } from './pay-once/payments.ts'
import { refundsHappenOnce } from './pay-once/refunds.ts'
import { twoProcesses } from './pay-once/two-processes.ts'

/*
 * No customer pays twice, and no payment is refunded twice: two processes of the product on one
 * database, with one sandbox whose webhooks, answers and clock fail, and kill -9 at each side of
 * the provider's answer.
 */

const processes = await twoProcesses()
jest.setTimeout(120_000)

// The clock of the sandbox is right until the payments move it.
describe('refunds', () => refundsHappenOnce(processes))
describe('payments', () => paymentsHappenOnce(processes))
