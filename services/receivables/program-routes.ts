import {
  programInvoicesRequest,
  programInvoicesResponse,
} from '#contracts/receivables/program-invoices'
import { commandContext } from '#services/http/command-context'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { ImportQueries } from './import-routes.ts'
import type { Imports } from './import/imports.ts'
import { rowSentence } from './import/row-sentences.ts'
import { assertMayAct, type MerchantOf } from './merchant-access.ts'

/** What a merchant's program calls with a key. */
export function programRoutes({
  imports,
  importQueries,
  merchantOf,
  limits,
}: {
  readonly imports: Pick<Imports, 'storeInvoices'>
  readonly importQueries: Pick<ImportQueries, 'ready'>
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'programCall' | 'importRows'>
}): Routes {
  return (route) => {
    route({
      method: 'post',
      path: '/api/receivables/invoices',
      work: 'imports',
      appends: 'program',
      summary: 'Add or change invoices by a program',
      access: 'merchant-key',
      body: programInvoicesRequest,
      answer: programInvoicesResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        const { merchantId, keyId } = context
        await limits.programCall.spend(keyId)
        await limits.importRows.spend(merchantId)
        assertMayAct(await merchantOf(merchantId))
        await importQueries.ready(context)
        const command = commandContext(context, { kind: 'customer', id: merchantId })
        const outcomes = await imports.storeInvoices(merchantId, body.invoices, command)
        return {
          results: body.invoices.map(({ number }, index) => {
            const { outcome, reason } = outcomes[index] ?? { outcome: 'refused', reason: null }
            if (outcome !== 'refused') return { number, outcome }
            return {
              number,
              outcome,
              reason:
                reason === 'unclear-client'
                  ? "This could be one of several clients. Send the client's number, or its name and e-mail as the product shows them."
                  : rowSentence(reason ?? 'not-found'),
            }
          }),
        }
      },
    })
  }
}
