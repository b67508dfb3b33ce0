/**
 * The pages of the single-page app by path. The server answers any other path with the not-found
 * page and status 404. Search engines must not list a private page.
 */
export const pages = {
  '/': { isPrivate: false },
  '/pricing': { isPrivate: false },
  '/payment': { isPrivate: true },
  '/payment-success': { isPrivate: true },
  '/purchases': { isPrivate: true },
  '/profile': { isPrivate: true },
  '/receipts/:receiptId': { isPrivate: true },
  '/admin': { isPrivate: true },
  '/admin/dashboard': { isPrivate: true },
  '/admin/users/:userId/history': { isPrivate: true },
  '/admin/activity': { isPrivate: true },
  '/admin/events': { isPrivate: true },
} as const satisfies Record<string, { readonly isPrivate: boolean }>

export type PagePath = keyof typeof pages
