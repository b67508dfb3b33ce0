/** The landing page's sections that the header leads to; `watched` ones are highlighted while scrolling. */
export const landingSections = [
  { id: 'pricing', label: 'Pricing', watched: true },
] as const
