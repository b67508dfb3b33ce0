import { z } from 'zod'
import { makeApiKeyResponse } from '#contracts/receivables/api-keys'
import { sendNowPreviewResponse } from '#contracts/receivables/messages'
import { paymentSettingsResponse } from '#contracts/receivables/payments'
import { startImportResponse } from '#contracts/receivables/imports'
import { defaultSchedule } from '#services/receivables/schedule/schedule'
import { appointClients } from '#services/receivables/sending/client-appointments'
import {
  changedSchedule,
  importedFile,
  importedRow,
  programInvoice,
} from '../../../support/product/api-calls.ts'
import { parseClientId, type ClientId } from '#contracts/ids'
import { clientReminderStream } from '#services/foundation/stream-names'
import { samplePayloads } from '../../../support/data/sample-payloads.ts'
import { testContext } from '../../../support/data/test-context.ts'
import { ofCustomer } from './of-customer.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'
import type { Prepare } from './walk.ts'

const clientAnswer = z.object({ clientId: z.string() })
const invoiceAnswer = z.object({ receivableId: z.string() })

async function aClient({ client }: TestCustomer): Promise<string> {
  const { body } = await client.post('/api/receivables/clients', { name: 'Grace Whitaker' })
  return clientAnswer.parse(body).clientId
}

const anInvoice = { number: 'AD-1187', dueDate: '2026-01-13', amount: 10_000, currency: 'usd' }

/** A client with an invoice. */
export async function withInvoice(customer: TestCustomer) {
  const clientId = await aClient(customer)
  const path = `/api/receivables/clients/${clientId}/invoices`
  const { body } = await customer.client.post(path, anInvoice)
  return { clientId, ...invoiceAnswer.parse(body) }
}

/** The address of a client with an e-mail address and an invoice, which the agenda knows. */
async function aReminded({ client, userId }: TestCustomer, side: AppSide): Promise<string> {
  const added = await client.post('/api/receivables/clients', {
    name: 'Grace Whitaker',
    email: 'grace@whitaker.example.com',
  })
  const { clientId } = clientAnswer.parse(added.body)
  const path = `/api/receivables/clients/${clientId}`
  const { receivableId } = invoiceAnswer.parse(
    (await client.post(`${path}/invoices`, anInvoice)).body,
  )
  await appointClients(side.pool, [{ merchantId: userId, clientId, receivableId }], new Date())
  return path
}

/** A message whose outcome is unknown. */
async function anUnknownMessage(
  { userId: merchantId }: TestCustomer,
  clientId: ClientId,
  { commands }: AppSide,
): Promise<void> {
  const of = { merchantId, clientId, messageId: 'message_1' }
  for (const event of [
    { type: 'MessageDue', data: { ...samplePayloads.MessageDue, ...of } },
    { type: 'MessageUnknown', data: { ...samplePayloads.MessageUnknown, ...of } },
  ] as const)
    await commands.record({
      stream: clientReminderStream(clientId),
      event: { ...event, occurredAt: '2026-01-20T12:00:00.000Z' },
      context: testContext(),
    })
}

async function aKey({ client }: TestCustomer) {
  const { body } = await client.post('/api/receivables/keys', { name: 'Program' })
  return makeApiKeyResponse.parse(body)
}

/** The address of a started import. */
async function anImport({ client }: TestCustomer): Promise<string> {
  const { body } = await client.post('/api/receivables/imports', importedFile)
  return `/api/receivables/imports/${startImportResponse.parse(body).importId}`
}

async function aStoredImport(customer: TestCustomer): Promise<string> {
  const path = await anImport(customer)
  await customer.client.post(`${path}/rows`, { rows: [importedRow] })
  return path
}

export const aBrand = {
  version: 0,
  color: '#3B4A9B',
  logo: { type: 'keep' },
  senderName: 'Birchwood of Duluth',
  replyTo: null,
  postalAddress: null,
}

const withPlan = (customer: TestCustomer, side: AppSide) => side.buy(customer)
/** A merchant whose account at the provider has a form to fill in. */
async function withAccount(customer: TestCustomer, side: AppSide): Promise<void> {
  await side.buy(customer)
  await customer.client.post('/api/receivables/payments/account/connect')
}
/** A page sends each press with one key, also when it repeats it. */
const headers = (key: string) => () => ({ 'idempotency-key': key })

/** What a merchant changes of its clients and invoices. */
export const receivableCalls: Readonly<Record<string, Prepare>> = {
  'POST /api/receivables/clients': ofCustomer(
    'POST /api/receivables/clients',
    () => ({ name: 'Grace Whitaker' }),
    { prepare: withPlan, headers: headers('add-client') },
  ),
  'POST /api/receivables/clients/:clientId/acts': ofCustomer(
    'POST',
    () => ({ type: 'hold', reason: 'Talks' }),
    {
      prepare: withPlan,
      headers: headers('hold-client'),
      path: async (customer) => `/api/receivables/clients/${await aClient(customer)}/acts`,
    },
  ),
  'POST /api/receivables/clients/:clientId/invoices': ofCustomer('POST', () => anInvoice, {
    prepare: withPlan,
    headers: headers('add-invoice'),
    path: async (customer) => `/api/receivables/clients/${await aClient(customer)}/invoices`,
  }),
  'POST /api/receivables/schedule': ofCustomer(
    'POST /api/receivables/schedule',
    () => changedSchedule,
    { prepare: withPlan, headers: headers('change-schedule') },
  ),
  'POST /api/receivables/schedule/preview': ofCustomer(
    'POST /api/receivables/schedule/preview',
    () => ({ schedule: changedSchedule.schedule, timeZone: changedSchedule.timeZone }),
    { prepare: withPlan },
  ),
  'POST /api/receivables/schedule/turn-on': ofCustomer(
    'POST /api/receivables/schedule/turn-on',
    () => undefined,
    { prepare: withPlan, headers: headers('turn-on') },
  ),
  'POST /api/receivables/schedule/turn-off': ofCustomer('POST', () => undefined, {
    prepare: async (customer, side) => {
      await withPlan(customer, side)
      await customer.client.post('/api/receivables/schedule/turn-on')
    },
    headers: headers('turn-off'),
    path: async () => '/api/receivables/schedule/turn-off',
  }),
  // A key is shown once: a repeat that finds it made answers 409, and the page makes another one.
  'POST /api/receivables/keys': ofCustomer('POST', () => ({ name: 'Program' }), {
    prepare: withPlan,
    headers: headers('make-key'),
    path: async () => '/api/receivables/keys',
    comparesBody: false,
    alsoComplete: 409,
  }),
  'POST /api/receivables/keys/:keyId/revoke': ofCustomer('POST', () => undefined, {
    prepare: withPlan,
    headers: headers('revoke-key'),
    path: async (customer) => `/api/receivables/keys/${(await aKey(customer)).keyId}/revoke`,
    comparesBody: false,
  }),
  'POST /api/receivables/payments/account/connect': ofCustomer(
    'POST /api/receivables/payments/account/connect',
    () => undefined,
    {
      prepare: withPlan,
      headers: headers('connect-account'),
      // Each link to the form is another one.
      comparesBody: false,
    },
  ),
  'POST /api/receivables/payments/account/refresh': ofCustomer(
    'POST /api/receivables/payments/account/refresh',
    () => undefined,
    {
      prepare: withAccount,
      headers: headers('refresh-account'),
    },
  ),
  'POST /api/receivables/payments/account/dashboard': ofCustomer(
    'POST /api/receivables/payments/account/dashboard',
    () => undefined,
    {
      prepare: withAccount,
    },
  ),
  'POST /api/receivables/payments/account/disconnect': ofCustomer(
    'POST /api/receivables/payments/account/disconnect',
    async ({ client }) => {
      const { body } = await client.get('/api/receivables/payments')
      return { accountId: paymentSettingsResponse.parse(body).account.accountId }
    },
    {
      prepare: withAccount,
      headers: headers('disconnect-account'),
    },
  ),
  'POST /api/receivables/payments/link': ofCustomer(
    'POST /api/receivables/payments/link',
    () => ({ link: 'https://pay.alder.example/{invoice}', seen: null }),
    {
      prepare: withPlan,
      headers: headers('change-link'),
    },
  ),
  'POST /api/receivables/payments/instructions': ofCustomer(
    'POST /api/receivables/payments/instructions',
    () => ({ text: 'By check to 1140 Alder Street.', seen: null }),
    {
      prepare: withPlan,
      headers: headers('change-instructions'),
    },
  ),
  'POST /api/receivables/templates': ofCustomer(
    'POST',
    () => ({ templates: [{ tone: 'firm', channel: 'text', body: 'Pay: {link}', version: 0 }] }),
    {
      prepare: withPlan,
      headers: headers('save-templates'),
      path: async () => '/api/receivables/templates',
    },
  ),
  'POST /api/receivables/templates/restore': ofCustomer(
    'POST',
    () => ({ tone: 'firm', channel: 'text', version: 1 }),
    {
      async prepare(customer, side) {
        await withPlan(customer, side)
        await customer.client.post('/api/receivables/templates', {
          templates: [{ tone: 'firm', channel: 'text', body: 'Pay: {link}', version: 0 }],
        })
      },
      headers: headers('restore-template'),
      path: async () => '/api/receivables/templates/restore',
    },
  ),
  'POST /api/receivables/templates/preview': ofCustomer('POST', () => ({ tone: 'firm' }), {
    prepare: withPlan,
    path: async () => '/api/receivables/templates/preview',
  }),
  'POST /api/receivables/brand': ofCustomer('POST', () => aBrand, {
    prepare: withPlan,
    headers: headers('change-brand'),
    path: async () => '/api/receivables/brand',
  }),
  'POST /api/receivables/invoices': async (side) => {
    const customer = await side.newCustomer()
    await side.buy(customer)
    const { key } = await aKey(customer)
    const visitor = side.client()
    return {
      ...customer,
      comparesBody: true,
      send: () =>
        visitor.send(
          'POST',
          '/api/receivables/invoices',
          { invoices: [programInvoice] },
          { authorization: `Bearer ${key}`, 'idempotency-key': 'program' },
        ),
    }
  },
  'POST /api/receivables/imports': ofCustomer('POST', () => importedFile, {
    prepare: withPlan,
    headers: headers('start-import'),
    path: async () => '/api/receivables/imports',
  }),
  'POST /api/receivables/imports/check': ofCustomer('POST', () => ({ rows: [importedRow] }), {
    prepare: withPlan,
    path: async () => '/api/receivables/imports/check',
  }),
  'POST /api/receivables/imports/missing': ofCustomer('POST', () => ({ receivableIds: [] }), {
    prepare: withPlan,
    path: async () => '/api/receivables/imports/missing',
  }),
  'POST /api/receivables/imports/:importId/rows': ofCustomer(
    'POST',
    () => ({ rows: [importedRow] }),
    {
      prepare: withPlan,
      headers: headers('store-rows'),
      path: async (customer) => `${await anImport(customer)}/rows`,
    },
  ),
  'POST /api/receivables/imports/:importId/finish': ofCustomer(
    'POST',
    () => ({ isComplete: true }),
    {
      prepare: withPlan,
      headers: headers('finish-import'),
      path: async (customer) => `${await aStoredImport(customer)}/finish`,
    },
  ),
  'POST /api/receivables/imports/:importId/undo': ofCustomer('POST', () => undefined, {
    prepare: withPlan,
    headers: headers('undo-import'),
    path: async (customer) => `${await aStoredImport(customer)}/undo`,
  }),
  'POST /api/receivables/clients/:clientId/send-now/preview': ofCustomer('POST', () => undefined, {
    prepare: withPlan,
    path: async (customer, side) => `${await aReminded(customer, side)}/send-now/preview`,
    // The link has the id of the client.
    comparesBody: false,
  }),
  // A repeat never sends twice: while the outcome is not known, it says so.
  'POST /api/receivables/clients/:clientId/send-now': async (side) => {
    const customer = await side.newCustomer()
    await side.buy(customer)
    const path = `${await aReminded(customer, side)}/send-now`
    const { body } = await customer.client.post(`${path}/preview`)
    const key = sendNowPreviewResponse.parse(body).message?.key ?? ''
    return {
      ...customer,
      comparesBody: false,
      alsoComplete: 409,
      send: () => customer.client.send('POST', path, { key }, { 'idempotency-key': 'send-now' }),
    }
  },
  'POST /api/receivables/clients/:clientId/messages/:messageId/settle': ofCustomer(
    'POST',
    () => ({}),
    {
      prepare: withPlan,
      headers: headers('settle-message'),
      path: async (customer, side) => {
        const path = await aReminded(customer, side)
        await anUnknownMessage(customer, parseClientId(path.replace(/^.*\//, '')), side)
        return `${path}/messages/message_1/settle`
      },
    },
  ),
  'POST /api/receivables/invoices/:receivableId/skip-step': ofCustomer(
    'POST',
    () => ({ stepId: defaultSchedule.steps[0]?.stepId, repetition: 0 }),
    {
      prepare: withPlan,
      headers: headers('skip-step'),
      path: async (customer) =>
        `/api/receivables/invoices/${(await withInvoice(customer)).receivableId}/skip-step`,
    },
  ),
  // The surplus becomes a credit in the client's stream.
  'POST /api/receivables/invoices/:receivableId/acts': ofCustomer(
    'POST',
    () => ({
      type: 'record-payment',
      date: '2026-01-20',
      amount: 12_000,
      method: 'check',
      openSeen: 10_000,
      surplusBecomesCredit: true,
    }),
    {
      prepare: withPlan,
      headers: headers('pay-invoice'),
      path: async (customer) =>
        `/api/receivables/invoices/${(await withInvoice(customer)).receivableId}/acts`,
    },
  ),
}
