import type { Invoice } from '../store/stripe-objects.ts'

const chips: Readonly<Record<string, readonly [kind: string, word: string]>> = {
  paid: ['active', 'Paid'],
  open: ['failed', 'Unpaid'],
  void: ['ended', 'Void'],
  uncollectible: ['ended', 'Uncollectible'],
  draft: ['open', 'Draft'],
}

/** Style and word of an invoice's status. A negative invoice is a credit. */
export function invoiceChip({ status, total }: Invoice): readonly [kind: string, word: string] {
  if (total < 0) return ['open', 'Credit']
  return chips[status ?? ''] ?? ['ended', status ?? '']
}
