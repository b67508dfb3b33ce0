import {
  maxAdministrators,
  maxPasskeys,
  type AdministratorsRefusal,
} from './administrators-decider.ts'

/** Why nothing was changed, and what to do. */
export const refusalSentences: Readonly<Record<AdministratorsRefusal, string>> = {
  'none-named':
    "No administrator is named yet. The operator adds the first owner with 'npm run billing -- admins add', because the shared password names no person.",
  'not-allowed': 'Only an owner manages administrators. Ask an owner.',
  'unknown-administrator':
    'There is no such administrator, or the person was ended. Look at the list of administrators.',
  'first-is-owner': 'The first administrator must be an owner. Use the role owner.',
  'last-owner':
    'This is the last owner. Make another administrator an owner first, so that one remains who can manage administrators.',
  'email-taken': 'Another administrator has this e-mail address. Use another address.',
  'too-many-administrators': `There are ${maxAdministrators} administrators already, ended ones included.`,
  'too-many-passkeys': `A person has ${maxPasskeys} passkeys at most. Remove one first.`,
  'passkey-known': 'This passkey belongs to another administrator. Use another one.',
  'unknown-passkey': 'You have no such passkey. It was removed. Reload the page.',
}
