/**
 * What keeps the streams short that a call appends to. A stranger or a customer could otherwise
 * make a stream arbitrarily long, which every command and every reader of the stream pays for.
 * docs/security.md has the same table, with the calls; a test compares them.
 */
export const appendLimits = {
  'new address': {
    streams: '`email`, `account`',
    limit: 'a new address only: 10 questions a minute per network. A known address appends nothing',
  },
  'sign-up': {
    streams: '`account`',
    limit:
      'until an address is verified: 20 in 15 minutes per network, and 20 a day per account from all networks. Afterwards as a change',
  },
  code: {
    streams: '`signIn`',
    limit: '4 in 15 minutes per account and network, and 70 in an hour per account',
  },
  'code entered': {
    streams: '`signIn`, `account`',
    limit: 'the tries of [guessing](#guessing-a-sign-in-code), and one sign-in per code',
  },
  'sign-out': { streams: '`signIn`', limit: 'one per session' },
  change: {
    streams: '`account`, `billing`',
    limit: '100 a day per account, all such calls together',
  },
  receivable: {
    streams: '`client`, `receivable`',
    limit: '5,000 a day per merchant, all such calls together',
  },
  import: {
    streams: '`import`, `client`, `receivable`',
    limit: '1,000 parts of 500 rows a day per merchant, and 20,000 rows per import',
  },
  program: {
    streams: '`client`, `receivable`',
    limit:
      '60 calls of 500 invoices a minute per key, and 1,000 a day per merchant with its imports',
  },
  key: {
    streams: '`merchant`',
    limit: '100 a day per account, with its other changes, and 20 keys in use',
  },
  schedule: {
    streams: '`merchant`',
    limit: '100 a day per account, with its other changes',
  },
  words: {
    streams: '`merchant`',
    limit: '100 a day per account, with its other changes',
  },
  'payment account': {
    streams: '`merchant`',
    limit:
      '100 a day per account, with its other changes. A look at the payment provider that finds nothing new appends nothing',
  },
  preview: {
    streams: 'none: nothing is stored',
    limit: '1,200 an hour per merchant',
  },
  message: {
    streams: '`clientReminder`',
    limit: '5,000 a day per merchant, with its other acts. One message per client and day',
  },
  'schedule preview': {
    streams: 'none: nothing is stored',
    limit: '300 an hour per merchant',
  },
  'import check': {
    streams: 'none: nothing is stored',
    limit: '600 calls of 500 rows an hour per merchant',
  },
  fact: { streams: '`billing`', limit: 'each fact of the payment provider once' },
  'removed address': {
    streams: '`account`, `email`',
    limit: 'one per address that an administrator set',
  },
  deletion: { streams: '`account`, `email`, `billing`', limit: 'once per account' },
  enquiry: {
    streams: '`enquiry`, a new one for each',
    limit: '5 in 15 minutes per network',
  },
  'administrator sign-in': {
    streams: '`adminAccess` of the month',
    limit: 'five wrong tries per network in 15 minutes. No decision reads the stream',
  },
  challenge: {
    streams: 'none: a challenge is a row, and a newer one of the browser replaces it',
    limit: '30 in 15 minutes per network, and one per signed-in session',
  },
  passkey: {
    streams: '`administrators`',
    limit: '50 a day per administrator, and 10 passkeys',
  },
  administrator: {
    streams: 'the changed one, or `adminAccess` of the month',
    limit: 'none: administrators are trusted',
  },
} as const

export type AppendLimit = keyof typeof appendLimits
