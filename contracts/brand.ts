/** The brand, in one place. */
export const brand = {
  name: 'Agile Receivables',
  supportEmail: 'support@example.com',
  linkedIn: 'https://www.linkedin.com/company/agile-receivables',
} as const
