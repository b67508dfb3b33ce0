/**
 * The landing page's sections that the header links to, in the page's order. Why us has no mark in
 * the header while it is read (specification, section 2).
 */
export const landingSections = [
  { id: 'features', label: 'Features', isMarked: true },
  { id: 'pricing', label: 'Pricing', isMarked: true },
  { id: 'why-us', label: 'Why us', isMarked: false },
  { id: 'faqs', label: 'FAQs', isMarked: true },
] as const
