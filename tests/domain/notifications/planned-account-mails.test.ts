import { erasedValue } from '#services/event-store/encryption/personal-fields'
import {
  accounts,
  dana,
  describeMails,
  erased,
  on,
  open,
  unverified,
  type Row,
} from './planned-mails.ts'

const aboutAccount: readonly Row[] = [
  [
    'the first verified address',
    on('EmailVerified'),
    { before: unverified },
    [`welcome to ${dana}`],
  ],
  ['a later code', on('EmailVerified'), { before: open }, []],
  [
    'a verified secondary address',
    on('EmailVerified', { email: accounts }),
    { before: [...open, on('SecondaryEmailSet')] },
    [],
  ],
  [
    'the first verified address of a person who was erased meanwhile',
    on('EmailVerified'),
    { before: unverified, after: [erased] },
    ['welcome not sent: erased'],
  ],
  [
    'a secondary address',
    on('SecondaryEmailSet'),
    { before: open },
    [`secondary-email-added to ${dana}`, `secondary-email-added to ${accounts}`],
  ],
  [
    'the removal of a secondary address',
    on('SecondaryEmailRemoved'),
    { before: [...open, on('SecondaryEmailSet')] },
    [`secondary-email-removed to ${dana}`, `secondary-email-removed to ${accounts}`],
  ],
  [
    'a secondary address of an erased person',
    on('SecondaryEmailSet'),
    { before: open, after: [erased] },
    ['secondary-email-added not sent: erased', 'secondary-email-added not sent: erased'],
  ],
  [
    'a secondary address whose key is destroyed',
    on('SecondaryEmailRemoved', { email: erasedValue }),
    { before: open },
    ['secondary-email-removed not sent: erased', 'secondary-email-removed not sent: erased'],
  ],
  ['a block', on('AccountBlocked'), { before: open }, [`account-blocked to ${dana}`]],
  [
    'a block that was lifted meanwhile',
    on('AccountBlocked'),
    { before: open, after: [on('AccountUnblocked')] },
    ['account-blocked not sent: the account was unblocked'],
  ],
  ['a block of an unverified account', on('AccountBlocked'), { before: unverified }, []],
  [
    'a block of an account whose secondary address alone is verified',
    on('AccountBlocked'),
    {
      before: [...unverified, on('SecondaryEmailSet'), on('EmailVerified', { email: accounts })],
    },
    [`account-blocked to ${accounts}`],
  ],
  [
    'the end of a block',
    on('AccountUnblocked'),
    { before: [...open, on('AccountBlocked')] },
    [`account-unblocked to ${dana}`],
  ],
  [
    'the end of a block of an account that was blocked again',
    on('AccountUnblocked'),
    { before: [...open, on('AccountBlocked')], after: [on('AccountBlocked')] },
    ['account-unblocked not sent: the account was blocked again'],
  ],
  ['an erasure', erased, { before: open, farewell: dana }, [`account-deleted to ${dana}`]],
  ['an erasure without a kept address', erased, { before: open }, []],
]

describeMails('the account', aboutAccount)
