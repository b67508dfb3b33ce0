export type Decision = 'approve' | 'decline' | 'withdraw'

export const decisionNames = {
  approve: 'Approve',
  decline: 'Decline',
  withdraw: 'Withdraw',
} as const satisfies Record<Decision, string>
