import { unreachable } from '#services/foundation/decider'
import { dayAndTime } from '#services/mail/dates'
import type { Description } from '#services/mail/mail-content'
import type { NotificationOf } from '../notification.ts'
import type { Template } from './template.ts'
import { greeted } from './words.ts'

/** A security mail: a person in a stolen session can send the merchant's money elsewhere. */
export function waysToPayChanged({
  name,
  change,
  at,
  paymentsUrl,
}: NotificationOf<'ways-to-pay-changed'>): Template {
  const { subject, what, descriptions } = wordsOf(change)
  return {
    subject,
    topic: 'How your clients pay',
    preheader: 'If you did not do this, check how your clients pay and write to our support.',
    blocks: [
      { type: 'paragraph', text: greeted(name, what) },
      {
        type: 'descriptions',
        descriptions: [...descriptions, { term: 'Time', value: dayAndTime(at) }],
      },
      {
        type: 'paragraph',
        text: 'If you did this, you need not do anything. Otherwise your clients can pay another person: correct it now, and write to our support.',
      },
      { type: 'action', label: 'Check how clients pay', url: paymentsUrl },
    ],
  }
}

interface Words {
  readonly subject: string
  readonly what: string
  readonly descriptions: readonly Description[]
}

function wordsOf(change: NotificationOf<'ways-to-pay-changed'>['change']): Words {
  switch (change.kind) {
    case 'account-connected':
      return {
        subject: 'An account for card payments of your clients was connected',
        what: 'The payment provider has an account for card payments of your clients now. They can pay to it as soon as the provider accepts payments for it.',
        descriptions: [],
      }
    case 'account-disconnected':
      return {
        subject: 'The account for card payments of your clients was disconnected',
        what: 'The account for card payments was disconnected. Your clients can no longer pay to it through their page.',
        descriptions: [],
      }
    case 'link':
      return change.host === null
        ? {
            subject: 'The payment link for your clients was removed',
            what: 'The link to your own payment page was removed. Your clients no longer see it.',
            descriptions: [],
          }
        : {
            subject: 'The payment link for your clients was changed',
            what: 'The link with which your clients pay was changed. It leads to the site below.',
            descriptions: [{ term: 'Site', value: change.host }],
          }
    case 'instructions':
      return {
        subject: `The payment instructions for your clients were ${change.isRemoved ? 'removed' : 'changed'}`,
        what: change.isRemoved
          ? 'The written instructions were removed. Your clients no longer see them.'
          : 'The written instructions that your clients see were changed. Read them: such a text can name another bank account.',
        descriptions: [],
      }
    default:
      return unreachable(change)
  }
}
