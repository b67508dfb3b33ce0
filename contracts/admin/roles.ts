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

/** What a person with the role does in the console, for the owner who chooses it. */
export const roleTexts: Readonly<Record<AdminRole, string>> = {
  owner: 'Everything, and manages the administrators.',
  support:
    'Reads the lists and histories. Changes enquiries, blocks, secondary e-mails and the status of refunds. Stops and limits the messages of merchants. Retries and discards messages that were not sent.',
  finance:
    'Reads everything, reports too. Exports data, refunds payments and changes the status of refunds.',
  reader: 'Reads the lists, histories and reports. Changes and exports nothing.',
}

/** What a call of the console needs, and what it is in words after 'does not let you'. */
const rightTexts = {
  own: 'manage your own sign-in',
  read: 'read the console',
  reports: 'read the reports',
  export: 'export data',
  enquiries: 'change enquiries',
  block: 'block or unblock users',
  sending: 'stop or limit the messages of merchants',
  'unsent-messages': 'decide about messages that were not sent',
  'secondary-email': 'change secondary e-mails',
  portal: "open a customer's portal",
  'refund-status': 'change the status of refunds',
  refund: 'refund payments',
  administrators: 'manage administrators',
} as const

export type AdminRight = keyof typeof rightTexts
export const adminRights = Object.keys(rightTexts) as readonly AdminRight[]
export const adminRight = z.enum(adminRights as [AdminRight, ...AdminRight[]])

const rightsOfRole: Readonly<Record<AdminRole, readonly AdminRight[]>> = {
  owner: adminRights,
  support: [
    'own',
    'read',
    'enquiries',
    'block',
    'sending',
    'unsent-messages',
    'secondary-email',
    'portal',
    'refund-status',
  ],
  finance: ['own', 'read', 'reports', 'export', 'refund-status', 'refund'],
  reader: ['own', 'read', 'reports'],
}

/** What the console offers an administrator with this role. */
export function rightsOf(role: AdminRole): readonly AdminRight[] {
  return rightsOfRole[role]
}

export function mayDo(role: AdminRole, right: AdminRight): boolean {
  return rightsOfRole[role].includes(right)
}

/** The sentence for an administrator whose role does not have the right. */
export function refusedRight(role: AdminRole, right: AdminRight): string {
  return `Your role, ${roleNames[role]}, does not let you ${rightTexts[right]}. Ask an owner to do it, or to change your role.`
}
