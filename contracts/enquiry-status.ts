/** The statuses of an enquiry. Source: specification, section 3, "Admin records". Free of zod. */
export const enquiryStatuses = ['open', 'inprogress', 'closed'] as const
export type EnquiryStatus = (typeof enquiryStatuses)[number]

/** The statuses that an administrator sets. Source: specification, section 4, "Admin". */
export const settableEnquiryStatuses = [
  'inprogress',
  'closed',
] as const satisfies readonly EnquiryStatus[]
export type SettableEnquiryStatus = (typeof settableEnquiryStatuses)[number]

/** The statuses as filters, chips and exports show them. Source: specification, section 2. */
export const enquiryStatusLabels: Readonly<Record<EnquiryStatus, string>> = {
  open: 'Open',
  inprogress: 'In Progress',
  closed: 'Closed',
}

/** The statuses within a sentence. */
export const enquiryStatusNames: Readonly<Record<EnquiryStatus, string>> = {
  open: 'open',
  inprogress: 'in progress',
  closed: 'closed',
}
