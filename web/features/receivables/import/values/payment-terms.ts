import { addDays, type Day } from '../../shared/days.ts'

/**
 * The due date of an invoice by its terms, or null for unknown terms. `Net 30` counts days from the
 * issue date, `EOM` is the end of its month. A discount, as in `2/10 Net 30`, changes no due date.
 */
export function dueDateByTerms(terms: string, issued: Day): Day | null {
  const text = terms.toLowerCase().replace(/[.,]/g, '').replace(/\s+/g, ' ').trim()
  if (immediate.test(text)) return issued
  for (const { pattern, from } of patterns) {
    const days = pattern.exec(text)?.[1]
    if (days !== undefined && Number(days) <= 365) return addDays(from(issued), Number(days || 0))
  }
  return null
}

const immediate =
  /^(?:due )?(?:(?:up)?on|at|by) receipt$|^receipt$|^due(?: now| immediately)?$|^immediate(?:ly)?$|^cod$|^cash(?: on delivery)?$|^pia$|^prepaid$/

const endOfMonth = (day: Day): Day =>
  addDays(`${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1)

const patterns: readonly { readonly pattern: RegExp; readonly from: (issued: Day) => Day }[] = [
  // The group is empty for the end of the month itself.
  { pattern: /^(?:due )?(?:at )?(?:eom|end of(?: the)? month)()$/, from: endOfMonth },
  {
    pattern: /^(?:net |n\/?)?(\d{1,3})(?: days?)? ?(?:eom|(?:from |after )?end of(?: the)? month)$/,
    from: endOfMonth,
  },
  { pattern: /^eom ?\+? ?(\d{1,3})(?: days?)?$/, from: endOfMonth },
  {
    pattern:
      /^(?:\d+(?:\.\d+)?%?(?: ?\/ ?| )\d{1,3}(?: days?)?[ ,/-]*)?(?:net|n) ?[/-]? ?(\d{1,3})(?: days?)?$/,
    from: (issued) => issued,
  },
  { pattern: /^(?:due )?(?:in |within )?(\d{1,3})(?: days?)?(?: net)?$/, from: (issued) => issued },
]
