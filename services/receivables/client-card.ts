import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import type { AddedClient } from './client-state.ts'

type Card = Omit<InvoiceResponse['client'], 'credits' | 'openInvoices' | 'owes'>

/** What screens show of a text that was erased. */
export function shownText(text: string): string {
  return text === erasedValue ? 'Erased' : text
}

/** How to reach a client. Nothing of an erased one is left. */
export function clientCard({ clientId, details, mayText, isErased }: AddedClient): Card {
  const { name, email, phone, state, timeZone, note } = details
  return isErased
    ? {
        clientId,
        name: 'Erased',
        email: null,
        phone: null,
        state: null,
        timeZone: null,
        note: null,
        mayText: false,
        isErased,
      }
    : { clientId, name: shownText(name), email, phone, state, timeZone, note, mayText, isErased }
}

/** Credits with something left. `currency`: only those of this currency. */
export function creditsOf(
  { credits }: AddedClient,
  currency: string | null,
): { creditId: string; currency: string; left: number }[] {
  return [...credits]
    .filter(([, credit]) => credit.left > 0 && (currency === null || credit.currency === currency))
    .map(([creditId, credit]) => ({ creditId, currency: credit.currency, left: credit.left }))
}
