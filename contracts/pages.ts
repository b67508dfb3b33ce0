/**
 * The pages of the single-page app by path. The server answers any other path with the not-found
 * page and status 404. A public page is prerendered by the build. Search engines must not list a
 * private page.
 */
export const pages = {
  '/': { isPrivate: false },
  '/pricing': { isPrivate: false },
  '/privacy-policy': { isPrivate: false },
  '/terms': { isPrivate: false },
  '/payment': { isPrivate: true },
  '/payment-success': { isPrivate: true },
  '/purchases': { isPrivate: true },
  '/profile': { isPrivate: true },
  '/receivables': { isPrivate: true },
  '/receivables/invoices': { isPrivate: true },
  '/receivables/invoices/:receivableId': { isPrivate: true },
  '/receivables/import': { isPrivate: true },
  '/receivables/clients': { isPrivate: true },
  '/receivables/clients/:clientId': { isPrivate: true },
  '/receivables/schedule': { isPrivate: true },
  '/receivables/templates': { isPrivate: true },
  '/receivables/brand': { isPrivate: true },
  '/receivables/payments': { isPrivate: true },
  '/update-card': { isPrivate: true },
  '/pay': { isPrivate: true },
  '/manage-plan': { isPrivate: true },
  '/receipts/:receiptId': { isPrivate: true },
  '/admin': { isPrivate: true },
  '/admin/dashboard': { isPrivate: true },
  '/admin/users/:userId/history': { isPrivate: true },
  '/admin/activity': { isPrivate: true },
  '/admin/administrators': { isPrivate: true },
  '/admin/approvals': { isPrivate: true },
  '/admin/not-sent': { isPrivate: true },
  '/admin/events': { isPrivate: true },
  '/admin/reports': { isPrivate: true },
  '/admin/passkeys': { isPrivate: true },
} as const satisfies Record<string, { readonly isPrivate: boolean }>

export type PagePath = keyof typeof pages

/** The paths of the public pages. */
export type PublicPath = {
  [Path in PagePath]: (typeof pages)[Path]['isPrivate'] extends false ? Path : never
}[PagePath]

export const publicPaths = Object.entries(pages)
  .filter(([, { isPrivate }]) => !isPrivate)
  .map(([path]) => path as PublicPath)

/** The public page at a path, with or without a slash at its end; null if there is none. */
export function publicPathOf(pathname: string): PublicPath | null {
  const path = pathname.replace(/(?<=.)\/$/, '')
  return publicPaths.find((candidate) => candidate === path) ?? null
}

/** The file of a prerendered page in the directory of the built pages. */
export function fileOfPage(path: PublicPath): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`
}

/** The file of every page that is not prerendered: scripts and styles, and an empty root. */
export const shellFile = 'shell.html'

/** Stands for PUBLIC_URL in the built pages. The server replaces it when it starts. */
export const publicUrlPlaceholder = 'https://public-url.invalid'

/** Stands for the year of the business clock in the built pages. The server replaces it. */
export const yearPlaceholder = '{{year}}'

/** The name of the element with the key of the payment provider's script, on pages that load it. */
export const paymentScriptMeta = 'payment-script-key'
