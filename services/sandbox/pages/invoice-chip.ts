import type { Invoice } from '../store/stripe-objects.ts'

const chips: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  paid: ['active', 'Paid'],
  open: ['failed', 'Unpaid'],
  void: ['ended', 'Void'],
  uncollectible: ['ended', 'Uncollectible'],
  draft: ['open', 'Draft'],
}

/** Style and word of an invoice's status. */
export function invoiceChip({ status }: Invoice): readonly [kind: string, word: string] {
  return chips[status ?? ''] ?? ['ended', status ?? '']
}
