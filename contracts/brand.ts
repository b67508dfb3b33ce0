/**
 * The brand. Only web/index.html repeats the name and the address, because the page has them before
 * a script runs.
 */
export const brand = {
  name: 'Agile Receivables',
  /** The lines of the address on receipts. */
  address: ['500 Example Street, Suite 200', 'Wilmington, DE 19801', 'United States'],
  supportEmail: 'support@example.com',
  linkedIn: 'https://www.linkedin.com/company/agile-receivables',
} as const
