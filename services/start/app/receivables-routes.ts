import type { Routes } from '#services/http/routes'
import { apiKeyRoutes } from '#services/receivables/api-key-routes'
import { brandRoutes } from '#services/receivables/brand-routes'
import { byHandRoutes } from '#services/receivables/by-hand-routes'
import { clientRoutes } from '#services/receivables/client-routes'
import { feeRoutes } from '#services/receivables/fee-routes'
import { importRoutes } from '#services/receivables/import-routes'
import { invoiceRoutes } from '#services/receivables/invoice-routes'
import { messageRoutes } from '#services/receivables/message-routes'
import { receivablesOverviewRoutes } from '#services/receivables/overview-routes'
import { paymentReceiptRoutes } from '#services/receivables/payment-receipt-routes'
import { paymentsRoutes } from '#services/receivables/payments-routes'
import { programRoutes } from '#services/receivables/program-routes'
import { receivablesExportRoutes } from '#services/receivables/receivables-export-routes'
import { scheduleRoutes } from '#services/receivables/schedule-routes'
import { senderNameRoutes } from '#services/receivables/sender-name-routes'
import { sendingRoutes } from '#services/receivables/sending-routes'
import { statementRoutes } from '#services/receivables/statement-routes'
import { templateRoutes } from '#services/receivables/template-routes'
import type { AppParts } from './app-parts.ts'
import type { ReceivablesParts } from './receivables-parts.ts'

/** The routes by which a merchant and its programs see and change what its clients owe. */
export function receivablesRoutes(
  { accounts, clock, files }: Pick<AppParts, 'accounts' | 'clock' | 'files'>,
  parts: ReceivablesParts,
): readonly Routes[] {
  return [
    receivablesOverviewRoutes(parts),
    // Before the calls with an id in the place of `export`.
    receivablesExportRoutes(parts),
    feeRoutes(parts),
    // Before the calls with an id in the place of `check`.
    importRoutes(parts),
    apiKeyRoutes(parts),
    paymentsRoutes(parts),
    scheduleRoutes({ ...parts, clock }),
    sendingRoutes({
      schedules: parts.schedules,
      isUser: async (userId) => (await accounts.find(userId)) !== null,
    }),
    templateRoutes(parts),
    brandRoutes(parts),
    senderNameRoutes({ ...parts, findAccount: accounts.find }),
    programRoutes(parts),
    messageRoutes(parts),
    byHandRoutes(parts),
    invoiceRoutes(parts),
    clientRoutes(parts),
    statementRoutes({ ...parts, files: files.statements }),
    paymentReceiptRoutes({ ...parts, files: files.paymentReceipts }),
  ]
}
