/** The brand: the only place that names it. */
export const brand = {
  name: 'Agile Receivables',
  supportEmail: 'support@example.com',
  linkedIn: 'https://www.linkedin.com/company/agile-receivables',
} as const
