import type { Spans } from '#services/tracing/spans'
import type { ReadSide } from '#services/read-side/read-side'
import { tracedFunctions } from './traced-functions.ts'

/** The queries of the routes in spans. Exports read in parts, and the erasure of accounts polls. */
export function tracedReadSide(side: ReadSide, spans: Spans): ReadSide {
  const traced = <Group extends object>(
    group: string,
    target: Group,
    names: readonly (keyof Group & string)[],
  ) => tracedFunctions(spans, `query ${group}`, target, names)
  return {
    ...side,
    purchases: traced('purchases', side.purchases, [
      'ready',
      'emailsOf',
      'userOf',
      'ownerOfSubscription',
      'payments',
      'subscriptions',
      'changes',
    ]),
    refunds: traced('refunds', side.refunds, ['ready', 'ownerOf']),
    payments: traced('payments', side.payments, ['ready', 'payerOf']),
    receipts: traced('receipts', side.receipts, ['ready', 'receipt']),
    receiptOf: (paymentId) =>
      spans.inside({ name: 'query receiptOf' }, () => side.receiptOf(paymentId)),
    session: traced('session', side.session, ['ready', 'user']),
    profile: traced('profile', side.profile, ['ready', 'profile']),
    admin: {
      ...traced('admin', side.admin, ['ready', 'summary']),
      lists: traced('lists', side.admin.lists, [
        'users',
        'payments',
        'active-subscriptions',
        'enquiries',
        'refunds',
      ]),
    },
    history: traced('history', side.history, [
      'ready',
      'userPage',
      'pageOfTypes',
      'activityPage',
      'customersWithProposals',
      'userOf',
      'revisionsBefore',
      'user',
      'emails',
    ]),
    reports: traced('reports', side.reports, ['ready', 'coverage', 'rows', 'lines', 'events']),
    customerLinks: traced('customerLinks', side.customerLinks, [
      'userOf',
      'linkedAmong',
      'users',
      'unfoldedUsers',
    ]),
  }
}
