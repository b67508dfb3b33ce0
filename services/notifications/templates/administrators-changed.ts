import { roleNames, roleTexts } from '#contracts/admin/roles'
import { unreachable } from '#services/foundation/decider'
import { dayAndTime } from '#services/mail/dates'
import type { NotificationOf } from '../notification.ts'
import type { RenderContext, Template } from './template.ts'
import { greeted } from './words.ts'

type AdministratorsChanged = NotificationOf<'administrators-changed'>

/** Reports to an administrator how the own sign-in or the own rights changed. */
export function administratorsChanged(
  mail: AdministratorsChanged,
  { brand }: RenderContext,
): Template {
  const { subject, what, next } = wordsOf(mail, brand.name)
  const advice = 'If you did not expect this, tell an owner of the console at once.'
  return {
    subject,
    topic: 'Administrators',
    preheader: advice,
    blocks: [
      { type: 'paragraph', text: greeted(mail.name, what) },
      {
        type: 'descriptions',
        descriptions: [
          ...rightsOf(mail),
          { term: 'By', value: mail.by },
          { term: 'Time', value: dayAndTime(mail.at) },
        ],
      },
      { type: 'paragraph', text: next },
      { type: 'action', label: 'Open the console', url: mail.consoleUrl },
    ],
    note: advice,
  }
}

function rightsOf({ change }: AdministratorsChanged) {
  if (change.kind !== 'added' && change.kind !== 'role') return []
  const role = change.kind === 'added' ? change.role : change.to
  return [{ term: `What ${roleNames[role]} does`, value: roleTexts[role] }]
}

function wordsOf(
  { change }: AdministratorsChanged,
  brand: string,
): { readonly subject: string; readonly what: string; readonly next: string } {
  switch (change.kind) {
    case 'added':
      return {
        subject: `You are an administrator of ${brand}`,
        what: `You are an administrator of ${brand} with the role ${roleNames[change.role]}.`,
        next: 'Sign in to the console with the password that an owner gives you, this address, and a code that we mail to it. After that you can add a passkey.',
      }
    case 'role':
      return {
        subject: `Your role at ${brand} was changed`,
        what: `Your role was changed from ${roleNames[change.from]} to ${roleNames[change.to]}.`,
        next: 'The new role counts at once, also in pages that you have open.',
      }
    case 'passkey-added':
      return {
        subject: `A passkey was added to your sign-in at ${brand}`,
        what: `The passkey '${change.label}' was added. It signs in to the console without the password and without a mailed code.`,
        next: 'The page Passkeys of the console lists your passkeys, and removes one.',
      }
    case 'passkey-removed':
      return {
        subject: `A passkey was removed from your sign-in at ${brand}`,
        what: `The passkey '${change.label}' was removed. It does not sign in any more.`,
        next: 'Your other passkeys, and the password with a mailed code, still sign in.',
      }
    default:
      return unreachable(change)
  }
}
