import { brand } from '#contracts/brand/brand'
import type { Administrators } from '#services/administrators/administrators'
import {
  activeAdministrator,
  type AdministratorsState,
} from '#services/administrators/administrators-state'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'
import { MailNotSent, type Mailer } from '#services/mail/mailer'
import { defineReactor, type EventOf, type Reactor } from '#services/reactors/reactor'
import type { Links } from './links.ts'
import { mailRetry } from './mail-retry.ts'
import type { NotificationOf } from './notification.ts'
import { administratorMailReactorName as name } from './reactor-names.ts'
import { renderNotification } from './render-notification.ts'

const administratorMails = eventConsumer({
  name: 'administrator mails',
  concernedBy: ['administrator'],
  ignores: ['AdministratorRenamed', 'AdministratorEnded', 'PasskeyRenamed'],
})
type Cause = EventOf<FoldedBy<typeof administratorMails>>

interface AdministratorMailParts {
  readonly administrators: Pick<Administrators, 'load' | 'labelOf'>
  readonly mailer: Pick<Mailer, 'send'>
  readonly links: Links
}

/**
 * Mails an administrator how the own sign-in or the own rights changed. A repeat of the mail has
 * the same Message-ID. An administrator who was ended meanwhile gets none.
 */
export function administratorMailReactor(parts: AdministratorMailParts): Reactor {
  return defineReactor({
    name,
    handles: [administratorMails],
    options: mailRetry,
    async effect(event) {
      const state = await parts.administrators.load()
      const person = activeAdministrator(state, event.data.adminId)
      if (person === null) return
      const change = await changeOf(event, parts)
      if (change === null) return
      const mail = {
        kind: 'administrators-changed',
        name: person.name,
        change,
        by: authorOf(event, state),
        at: event.metadata.occurredAt,
        consoleUrl: parts.links.console,
      } as const
      try {
        await parts.mailer.send({
          to: person.email,
          ...(await renderNotification(mail, { brand, publicUrl: parts.links.origin })),
          messageId: `${event.id}@${brand.senderEmail.replace(/^.*@/, '')}`,
          isAutomatic: true,
        })
      } catch (error) {
        // A retry cannot succeed, for example at a mistyped address.
        if (!(error instanceof MailNotSent) || !error.isAddressRefused) throw error
      }
    },
  })
}

type Change = NotificationOf<'administrators-changed'>['change']

/** Null if the passkey is not known, which the log does not contain. */
async function changeOf(
  { type, data }: Cause,
  { administrators }: AdministratorMailParts,
): Promise<Change | null> {
  switch (type) {
    case 'AdministratorAdded':
      return { kind: 'added', role: data.role }
    case 'AdministratorRoleChanged':
      return { kind: 'role', from: data.from, to: data.to }
    case 'PasskeyAdded':
      return { kind: 'passkey-added', label: data.label }
    case 'PasskeyRemoved': {
      const label = await administrators.labelOf(data.passkeyId)
      return label === null ? null : { kind: 'passkey-removed', label }
    }
    default:
      return unreachable(type)
  }
}

/** The name of the administrator who made the change, or the operator. */
function authorOf(
  { data: { adminId }, metadata: { actor } }: Cause,
  { administrators }: AdministratorsState,
): string {
  if (actor.kind !== 'admin') return 'The operator'
  const author = administrators.get(actor.id)?.name ?? 'An administrator'
  return actor.id === adminId ? `${author} (you)` : author
}
