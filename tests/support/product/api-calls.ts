import { planDetails, profile } from './client.ts'

/** A call of the API as the product's pages send it. Every value is valid. */
export interface ApiCall {
  readonly access: 'public' | 'customer' | 'admin' | 'customer-or-admin' | 'merchant-key'
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

const credential = { id: 'cGFzc2tleS0x', rawId: 'cGFzc2tleS0x', type: 'public-key' }
const { has_accepted_terms: _terms, ...profileWithoutTerms } = profile

const deadLetterPlace = { reactor: 'mails', eventId: '6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01' }

/** A file of one row, and its row. */
export const importedFile = { fileName: 'open.csv', size: 1_024, sha256: 'a'.repeat(64), rows: 1 }
export const importedRow = {
  row: 2,
  number: 'AD-1187',
  client: { name: 'Grace Whitaker', email: 'g.whitaker@postbox.example', phone: '503-555-0142' },
  issueDate: '2026-01-05',
  dueDate: '2026-01-13',
  amount: 10_000,
  openAmount: 6_000,
  currency: 'usd',
  reference: 'Visit 3',
  url: 'https://billing.example/AD-1187.pdf',
  textConsent: { source: 'Form', date: '2026-01-05' },
}

/** An invoice as a program sends it. */
export const programInvoice = {
  number: 'AD-1187',
  client: { name: 'Grace Whitaker', email: 'g.whitaker@postbox.example' },
  dueDate: '2026-01-13',
  amount: '100.00',
  currency: 'usd',
}

/** A schedule of one step, based on the default. */
export const changedSchedule = {
  schedule: {
    steps: [
      {
        stepId: '7d1f3c52-9a64-4b0e-8f27-5b1de04c7a60',
        offset: 7,
        channel: 'mail',
        tone: 'firm',
        includesPast: false,
      },
    ],
    repeatLastEvery: 14,
    sendingDays: [1, 2, 3],
    daysOff: ['2026-12-24'],
    sendingTime: '10:15',
    messagesPerWeek: 2,
    thanks: true,
  },
  timeZone: 'America/Chicago',
  basedOn: 0,
}

/** Every call of the API by its name, for the customer with this address and id. */
export function apiCalls({
  email,
  userId,
}: {
  readonly email: string
  readonly userId: string
}): Readonly<Record<string, ApiCall>> {
  return {
    'POST /api/auth/check-user': { access: 'public', body: { email } },
    'POST /api/auth/complete-signup': {
      access: 'public',
      body: {
        ...profile,
        email,
        website_url: 'https://birchwooddental.example/start',
        city: 'Duluth',
      },
    },
    'POST /api/auth/request-otp': { access: 'public', body: { email } },
    'POST /api/auth/verify-otp': { access: 'public', body: { userId, otp: '123456' } },
    'POST /api/auth/logout': { access: 'public' },
    'GET /api/auth/session': { access: 'public' },
    'GET /api/auth/sessions': { access: 'customer' },
    'POST /api/auth/sessions/:id/end': {
      access: 'customer',
      params: { id: '3f1c9a52-6d0b-4a8e-9f27-5b1de04c7a60' },
    },
    'POST /api/auth/sign-out-everywhere': { access: 'customer' },
    'GET /api/profile': { access: 'customer' },
    'PATCH /api/profile': {
      access: 'customer',
      body: { ...profileWithoutTerms, profile_version: 'a version' },
    },
    'GET /api/profile/data': { access: 'customer' },
    'POST /api/profile/delete': { access: 'customer', body: { email } },
    'GET /api/plans': { access: 'public' },
    'POST /api/create-checkout-session': {
      access: 'customer',
      body: {
        email,
        priceId: 'price_sandbox_monthly',
        planDetails: { ...planDetails, features: ['Client support'] },
      },
    },
    'GET /api/checkout-sessions/:sessionId': {
      access: 'customer',
      params: { sessionId: 'cs_test_1' },
    },
    'POST /api/billing/sync': { access: 'customer', query: { since: '0' } },
    'POST /api/keep-plan': { access: 'customer', body: { subscriptionId: 'subscription_1' } },
    'POST /api/create-customer-portal-session': {
      access: 'customer',
      body: { email, returnUrl: '/purchases', subscriptionId: 'subscription_1', action: 'manage' },
    },
    'GET /api/receivables/overview': {
      access: 'customer',
      query: { asOf: '2026-01-31', currency: 'usd' },
    },
    'GET /api/receivables/invoices': {
      access: 'customer',
      query: { filter: 'overdue', sort: 'open', search: 'AD-1', bucket: '1-30' },
    },
    'GET /api/receivables/invoices/:receivableId': {
      access: 'customer',
      params: { receivableId: 'receivable_6c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11' },
    },
    'POST /api/receivables/invoices/:receivableId/acts': {
      access: 'customer',
      params: { receivableId: 'receivable_6c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11' },
      body: { type: 'hold', reason: 'Waits for the insurer', until: '2026-12-18' },
    },
    'GET /api/receivables/needs-you': { access: 'customer' },
    'GET /api/receivables/next-messages': { access: 'customer' },
    'GET /api/receivables/next-steps': {
      access: 'customer',
      query: { invoices: 'receivable_1,receivable_2' },
    },
    'GET /api/receivables/clients/:clientId/messages/:messageId': {
      access: 'customer',
      params: { clientId: 'client_1', messageId: 'message_1' },
    },
    'GET /api/receivables/clients': {
      access: 'customer',
      query: { filter: 'all', sort: 'name', search: 'Grace' },
    },
    'POST /api/receivables/clients': {
      access: 'customer',
      body: { name: 'Grace Whitaker', email: 'g.whitaker@postbox.example', state: 'Oregon' },
    },
    'GET /api/receivables/clients/:clientId': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
    },
    'POST /api/receivables/clients/:clientId/acts': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
      body: { type: 'record-text-consent', source: 'Form', date: '2026-01-17' },
    },
    'POST /api/receivables/clients/:clientId/send-now/preview': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
    },
    'POST /api/receivables/clients/:clientId/send-now': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
      body: { key: 'the preview' },
    },
    'POST /api/receivables/clients/:clientId/messages/:messageId/settle': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f', messageId: 'message_1' },
    },
    'POST /api/receivables/invoices/:receivableId/skip-step': {
      access: 'customer',
      params: { receivableId: 'receivable_6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01' },
      body: { stepId: '6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01', repetition: 0 },
    },
    'POST /api/receivables/clients/:clientId/invoices': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
      body: { number: 'AD-1187', dueDate: '2026-11-13', amount: 124_000, currency: 'usd' },
    },
    'GET /api/receivables/invoices/export': {
      access: 'customer',
      query: { filter: 'all', sort: 'number' },
    },
    'GET /api/receivables/fees': { access: 'customer', query: { month: '2026-11' } },
    'GET /api/receivables/fees/export': { access: 'customer', query: { month: '2026-11' } },
    'GET /api/receivables/clients/export': { access: 'customer', query: { filter: 'all' } },
    'GET /api/receivables/clients/:clientId/statement': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
      query: { from: '2026-01-01', asOf: '2026-01-31' },
    },
    'GET /api/receivables/clients/:clientId/statement/export': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
      query: { asOf: '2026-01-31' },
    },
    'GET /api/receivables/clients/:clientId/statement/pdf': {
      access: 'customer',
      params: { clientId: 'client_6f1c0f7a1d3b5e6f' },
      query: { asOf: '2026-01-31' },
    },
    'GET /api/receivables/invoices/:receivableId/payments/:paymentId/receipt/pdf': {
      access: 'customer',
      params: {
        receivableId: 'receivable_6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01',
        paymentId: 'payment_6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e02',
      },
    },
    'GET /api/receivables/schedule': { access: 'customer' },
    'POST /api/receivables/schedule': { access: 'customer', body: changedSchedule },
    'POST /api/receivables/schedule/preview': {
      access: 'customer',
      body: { schedule: changedSchedule.schedule, timeZone: changedSchedule.timeZone },
    },
    'GET /api/receivables/schedule/results': { access: 'customer' },
    'POST /api/receivables/schedule/turn-on': { access: 'customer' },
    'POST /api/receivables/schedule/turn-off': { access: 'customer' },
    'GET /api/receivables/keys': { access: 'customer' },
    'POST /api/receivables/keys': { access: 'customer', body: { name: 'Practice management' } },
    'POST /api/receivables/keys/:keyId/revoke': {
      access: 'customer',
      params: { keyId: 'key_2b0f5d0e-4f0c-5d3e-9a55-7f1c0d0f0c22' },
    },
    'GET /api/receivables/payments': { access: 'customer' },
    'POST /api/receivables/payments/account/connect': { access: 'customer' },
    'POST /api/receivables/payments/account/refresh': { access: 'customer' },
    'POST /api/receivables/payments/account/dashboard': { access: 'customer' },
    'POST /api/receivables/payments/account/disconnect': {
      access: 'customer',
      body: { accountId: 'acct_1' },
    },
    'POST /api/receivables/payments/link': {
      access: 'customer',
      body: { link: 'https://pay.alder.example/{invoice}?sum={amount}', seen: null },
    },
    'POST /api/receivables/payments/instructions': {
      access: 'customer',
      body: { text: 'By check to 1140 Alder Street.', seen: null },
    },
    'GET /api/receivables/templates': { access: 'customer' },
    'POST /api/receivables/templates': {
      access: 'customer',
      body: {
        templates: [{ tone: 'firm', channel: 'text', body: 'Pay {amount}: {link}', version: 0 }],
      },
    },
    'POST /api/receivables/templates/restore': {
      access: 'customer',
      body: { tone: 'firm', channel: 'text', version: 1 },
    },
    'POST /api/receivables/templates/preview': {
      access: 'customer',
      body: { tone: 'firm', mail: 'Hello {client}, {amount} is open.', text: '{link}' },
    },
    'GET /api/receivables/brand': { access: 'customer' },
    'POST /api/receivables/brand': {
      access: 'customer',
      body: {
        version: 0,
        color: '#3B4A9B',
        logo: { type: 'keep' },
        senderName: 'Alder Dental of Eugene',
        replyTo: 'front@alderdental.example',
        postalAddress: '1140 Alder Street',
      },
    },
    'GET /api/receivables/logos/:sha256': {
      access: 'public',
      params: { sha256: 'a'.repeat(64) },
    },
    'GET /api/receivables/brand-styles/:file': {
      access: 'public',
      params: { file: '3b4a9b.css' },
    },
    'GET /api/admin/users/:userId/sender-name': { access: 'admin', params: { userId } },
    'POST /api/admin/users/:userId/sender-name': {
      access: 'admin',
      params: { userId },
      body: { name: 'Alder Dental of Eugene' },
    },
    'POST /api/receivables/invoices': {
      access: 'merchant-key',
      body: { invoices: [programInvoice] },
    },
    'GET /api/receivables/imports': { access: 'customer', query: { page: '1' } },
    'POST /api/receivables/imports/check': { access: 'customer', body: { rows: [importedRow] } },
    'POST /api/receivables/imports/missing': {
      access: 'customer',
      body: { receivableIds: ['6c1f9a2e-8a52-5f0e-9d55-3c1d0f0c7a11'], keepNumbers: ['AD-1188'] },
    },
    'POST /api/receivables/imports': { access: 'customer', body: importedFile },
    'GET /api/receivables/imports/:importId': {
      access: 'customer',
      params: { importId: 'import_2b0f5d0e-4f0c-5d3e-9a55-7f1c0d0f0c22' },
      query: { outcome: 'refused' },
    },
    'POST /api/receivables/imports/:importId/rows': {
      access: 'customer',
      params: { importId: 'import_2b0f5d0e-4f0c-5d3e-9a55-7f1c0d0f0c22' },
      body: { rows: [importedRow] },
    },
    'POST /api/receivables/imports/:importId/finish': {
      access: 'customer',
      params: { importId: 'import_2b0f5d0e-4f0c-5d3e-9a55-7f1c0d0f0c22' },
      body: { isComplete: true, keepNumbers: ['AD-1188'] },
    },
    'POST /api/receivables/imports/:importId/undo': {
      access: 'customer',
      params: { importId: 'import_2b0f5d0e-4f0c-5d3e-9a55-7f1c0d0f0c22' },
    },
    'GET /api/receivables/paying': { access: 'customer', query: { asOf: '2026-01-31' } },
    'GET /api/receivables/events': {
      access: 'customer',
      query: { figure: 'outstanding', bucket: '1-30', asOf: '2026-01-31' },
    },
    'GET /api/payments': { access: 'customer-or-admin', query: { email } },
    'GET /api/plan-options': { access: 'customer' },
    'GET /api/subscriptions': { access: 'customer-or-admin', query: { email } },
    'GET /api/subscriptions/:userId': { access: 'admin', params: { userId } },
    'GET /api/subscription-changes/:userId': { access: 'customer-or-admin', params: { userId } },
    'GET /api/admin/subscription-changes': { access: 'admin', query: { userId } },
    'GET /api/receipts/:receiptId': {
      access: 'customer-or-admin',
      params: { receiptId: 'payment_1' },
    },
    'GET /api/receipts/:receiptId/pdf': {
      access: 'customer-or-admin',
      params: { receiptId: 'payment_1' },
    },
    'GET /api/portal/:subscriptionId': {
      access: 'public',
      params: { subscriptionId: 'subscription_1' },
      query: { action: 'manage' },
    },
    'GET /api/openapi.json': { access: 'public' },
    'GET /api/docs': { access: 'public' },
    'PATCH /api/admin/refunds/:id': {
      access: 'admin',
      params: { id: 'refund_1' },
      body: { status: 'pending', reason: 'The bank checks it.' },
    },
    'GET /api/admin/payments/:id/refundable': { access: 'admin', params: { id: 'payment_1' } },
    'GET /api/admin/refund-proposals': { access: 'admin' },
    'POST /api/admin/refund-proposals/:userId/:id/decision': {
      access: 'admin',
      params: { userId, id: 'refundrequest_1' },
      body: { decision: 'decline', why: 'Dana paid once.' },
    },
    'GET /api/admin/dead-letters': { access: 'admin' },
    'POST /api/admin/dead-letters/:reactor/:eventId/retry': {
      access: 'admin',
      params: deadLetterPlace,
      body: { why: 'cause-corrected' },
    },
    'POST /api/admin/dead-letters/:reactor/:eventId/discard': {
      access: 'admin',
      params: deadLetterPlace,
      body: { why: 'outdated' },
    },
    'GET /api/admin/export-proposals': { access: 'admin' },
    'POST /api/admin/export-proposals': {
      access: 'admin',
      body: {
        request_id: '6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01',
        list: 'users',
        format: 'csv',
        query: { status: 'blocked' },
        reason: 'The auditor asked for it.',
      },
    },
    'POST /api/admin/export-proposals/:adminId/:id/decision': {
      access: 'admin',
      params: { adminId: 'adm_1', id: '6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01' },
      body: { decision: 'decline', why: 'The auditor has it.' },
    },
    'GET /api/admin/export-proposals/:id/file': {
      access: 'admin',
      params: { id: '6a1e5b0c-1f0f-4b52-8f6a-2f1f6c7d9e01' },
    },
    'POST /api/admin/payments/:id/refunds': {
      access: 'admin',
      params: { id: 'payment_1' },
      body: {
        request_id: '0b9f6a52-6d0b-4c8e-9a55-0c4b7a0a7f11',
        amount: 10.5,
        currency: 'usd',
        reason: 'requested_by_customer',
        note: 'Dana asked for it.',
      },
    },
    'POST /api/enquiries': {
      access: 'public',
      body: {
        first_name: 'Dana',
        last_name: 'Whitlock',
        email,
        phone_number: '(218) 555-0147',
        message: 'Can you remind our patients by text?',
        goals: 'Fewer open invoices.',
        website: '',
      },
    },
    'GET /api/admin/enquiries': {
      access: 'admin',
      query: {
        page: '1',
        pageSize: '20',
        sort: 'updated_at',
        order: 'asc',
        search: 'dana',
        status: 'inprogress',
      },
    },
    'PATCH /api/admin/enquiries/:id': {
      access: 'admin',
      params: { id: 'enquiry_1' },
      body: { status: 'closed' },
    },
    'POST /api/admin/login/code': {
      access: 'public',
      body: { email: 'ada@example.com', code: '123456' },
    },
    'POST /api/admin/login': { access: 'public', body: { password: 'correct horse' } },
    'POST /api/admin/logout': { access: 'public' },
    'GET /api/admin/login/passkey': { access: 'public' },
    'POST /api/admin/login/passkey/options': { access: 'public' },
    'POST /api/admin/login/passkey': {
      access: 'public',
      body: {
        ...credential,
        response: {
          clientDataJSON: 'e30',
          authenticatorData: 'AAAA',
          signature: 'AAAA',
          userHandle: 'YWRtXzE',
        },
      },
    },
    'GET /api/admin/passkeys': { access: 'admin' },
    'POST /api/admin/passkeys/options': { access: 'admin' },
    'POST /api/admin/passkeys': {
      access: 'admin',
      body: {
        label: 'Work laptop',
        passkey: {
          ...credential,
          response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
        },
      },
    },
    'PATCH /api/admin/passkeys/:passkeyId': {
      access: 'admin',
      params: { passkeyId: 'cGFzc2tleS0x' },
      body: { label: 'Old laptop' },
    },
    'POST /api/admin/passkeys/:passkeyId/remove': {
      access: 'admin',
      params: { passkeyId: 'cGFzc2tleS0x' },
    },
    'POST /api/admin/administrators/:adminId/remove-passkeys': {
      access: 'admin',
      params: { adminId: 'adm_1' },
    },
    'GET /api/admin/users': {
      access: 'admin',
      query: {
        page: '1',
        pageSize: '20',
        sort: 'email',
        order: 'asc',
        search: 'dana',
        status: 'all',
        userType: '3',
      },
    },
    'GET /api/admin/payments': {
      access: 'admin',
      query: { sort: 'amount_total', order: 'asc', search: 'refund', status: 'all' },
    },
    'GET /api/admin/active-subscriptions': {
      access: 'admin',
      query: { sort: 'current_period_end', search: 'dana', status: 'active', interval: 'annual' },
    },
    'GET /api/admin/refunds': {
      access: 'admin',
      query: { sort: 'status', search: 'duplicate', status: 'failed' },
    },
    'POST /api/admin/update-user-email': {
      access: 'admin',
      body: { userId, email: `second.${email}`, type: 'secondary' },
    },
    'POST /api/profile/remove-secondary-email': { access: 'customer' },
    'GET /api/admin/users/:userId/sending': { access: 'admin', params: { userId } },
    'POST /api/admin/users/:userId/sending': {
      access: 'admin',
      params: { userId },
      body: { type: 'stop', reason: 'Clients complain.' },
    },
    'POST /api/admin/users/:userId/toggle-block': {
      access: 'admin',
      params: { userId },
      body: { blocked: true },
    },
    'GET /api/admin/users/export': {
      access: 'admin',
      query: { format: 'csv', sort: 'email', order: 'asc', search: 'dana', userType: '3' },
    },
    'GET /api/admin/payments/export': {
      access: 'admin',
      query: { format: 'csv', sort: 'amount_total', status: 'expired' },
    },
    'GET /api/admin/active-subscriptions/export': {
      access: 'admin',
      query: { format: 'xlsx', interval: 'monthly', status: 'active' },
    },
    'GET /api/admin/enquiries/export': {
      access: 'admin',
      query: { format: 'csv', status: 'open' },
    },
    'GET /api/admin/refunds/export': {
      access: 'admin',
      query: { format: 'csv', status: 'failed' },
    },
    'GET /api/admin/summary': { access: 'admin' },
    'GET /api/admin/live': { access: 'admin', query: { watch: '/api/admin/users?page=1' } },
    'GET /api/admin/users/:userId/history': {
      access: 'admin',
      params: { userId },
      query: { kind: 'billing', limit: '20', asOf: '2026-03-03T09:12:00.000Z' },
    },
    'GET /api/admin/administrators': { access: 'admin' },
    'POST /api/admin/administrators/:id/rename': {
      access: 'admin',
      params: { id: 'adm_1' },
      body: { name: 'Ada Lind' },
    },
    'POST /api/admin/administrators': {
      access: 'admin',
      body: { name: 'Ada Lind', email: 'ada@agilereceivables.example', role: 'support' },
    },
    'PATCH /api/admin/administrators/:id': {
      access: 'admin',
      params: { id: 'adm_1' },
      body: { role: 'reader' },
    },
    'POST /api/admin/administrators/:id/end': { access: 'admin', params: { id: 'adm_1' } },
    'GET /api/admin/events': { access: 'admin', query: { total: 'totalRevenue', limit: '20' } },
    'GET /api/admin/reports': { access: 'admin' },
    'GET /api/admin/reports/:name': {
      access: 'admin',
      params: { name: 'revenue' },
      query: { from: '2026-01', to: '2026-03', asOf: '2027-03-31', currency: 'usd', page: '1' },
    },
    'GET /api/admin/reports/:name/events': {
      access: 'admin',
      params: { name: 'revenue' },
      query: { column: 'net', month: '2026-03', plan: 'Monthly Plan', currency: 'usd' },
    },
    'GET /api/admin/reports/:name/export': {
      access: 'admin',
      params: { name: 'failed-payments' },
      query: { format: 'csv', from: '2026-01', knownAt: '2027-03-31' },
    },
    'GET /api/admin/activity': {
      access: 'admin',
      query: { kind: 'changes', person: 'shared', limit: '20' },
    },
    'GET /api/admin/events/:stream/:revision': {
      access: 'admin',
      params: { stream: `account-${userId}`, revision: '0' },
    },
    'POST /api/admin/events/:stream/:revision/client-data': {
      access: 'admin',
      params: { stream: `account-${userId}`, revision: '0' },
    },
  }
}

/** The method of a call and its address, with path parameters and query. */
export function addressOf(
  name: string,
  { params = {}, query = {} }: Pick<ApiCall, 'params' | 'query'>,
): { readonly method: string; readonly address: string } {
  const [method = '', path = ''] = name.split(' ')
  const filled = Object.entries(params).reduce(
    (address, [key, value]) => address.replace(`:${key}`, encodeURIComponent(value)),
    path,
  )
  const search = new URLSearchParams(query).toString()
  return { method, address: search === '' ? filled : `${filled}?${search}` }
}

/**
 * One copy of a JSON value for each text in it. The copy has `change` applied to that text; `path`
 * leads to the text.
 */
export function withEachText<Value>(
  value: Value,
  change: (text: string) => string,
): readonly { readonly path: string; readonly changed: Value }[] {
  if (typeof value === 'string') return [{ path: '', changed: change(value) as Value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    withEachText(member, change).map(({ path, changed }) => ({
      path: path === '' ? key : `${key}.${path}`,
      changed: (Array.isArray(value)
        ? value.with(Number(key), changed)
        : { ...value, [key]: changed }) as Value,
    })),
  )
}
