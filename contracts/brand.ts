/**
 * The brand. Only web/index.html repeats the name and the address, because the page has them before
 * a script runs.
 */
export const brand = {
  name: 'Agile Receivables',
  supportEmail: 'support@example.com',
  linkedIn: 'https://www.linkedin.com/company/agile-receivables',
} as const
