/** An inquiry moves no money. A chargeback takes the disputed amount back. */
export const disputeKinds = ['inquiry', 'chargeback'] as const

/** How the customer's bank decided. A closed inquiry never became a chargeback. */
export const disputeOutcomes = ['won', 'lost', 'inquiry-closed'] as const

/** What a dispute is at one time. */
export type DisputeStage = (typeof disputeKinds)[number] | (typeof disputeOutcomes)[number]
