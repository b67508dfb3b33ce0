import { z } from 'zod'

/** What a named administrator is. `owner` may do everything. */
export const adminRoles = ['owner', 'support', 'finance', 'reader'] as const
export const adminRole = z.enum(adminRoles)
export type AdminRole = z.infer<typeof adminRole>

export const roleNames: Readonly<Record<AdminRole, string>> = {
  owner: 'Owner',
  support: 'Support',
  finance: 'Finance',
  reader: 'Reader',
}

/** What a call of the console needs, and what it is in words after 'does not let you'. */
const rightTexts = {
  own: 'manage your own sign-in',
  read: 'read the console',
  reports: 'read the reports',
  export: 'export data',
  enquiries: 'change enquiries',
  block: 'block or unblock users',
  'secondary-email': 'change secondary e-mails',
  portal: "open a customer's portal",
  'refund-status': 'change the status of refunds',
  refund: 'refund payments',
  administrators: 'manage administrators',
} as const

export type AdminRight = keyof typeof rightTexts
export const adminRights = Object.keys(rightTexts) as readonly AdminRight[]

const rightsOfRole: Readonly<Record<AdminRole, readonly AdminRight[]>> = {
  owner: adminRights,
  support: ['own', 'read', 'enquiries', 'block', 'secondary-email', 'portal', 'refund-status'],
  finance: ['own', 'read', 'reports', 'export', 'refund-status', 'refund'],
  reader: ['own', 'read', 'reports'],
}

export function mayDo(role: AdminRole, right: AdminRight): boolean {
  return rightsOfRole[role].includes(right)
}

/** The sentence for an administrator whose role does not have the right. */
export function refusedRight(role: AdminRole, right: AdminRight): string {
  return `Your role, ${roleNames[role]}, does not let you ${rightTexts[right]}. Ask an owner to do it, or to change your role.`
}
